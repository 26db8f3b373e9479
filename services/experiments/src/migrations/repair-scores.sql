-- Removes scores outside their scale from the sums; the results keep them. NATURALNESS and STYLE have scores from 1 to
-- 5, other types and tests from 0 to 1. The bounds of a day show which rows to read.

CREATE VIEW experiments.unscaled_evaluation WITH (security_invoker = true) AS
  SELECT e.application_id, e.run_id, e.task_id, e.definition_id, e.definition_type, d.day, d.topic_id, d.status,
    e.score_micro, e.passed,
    CASE WHEN e.definition_type IN ('NATURALNESS', 'STYLE') THEN e.score_micro - 1000000 ELSE 4 * e.score_micro END
      AS quarters,
    CASE WHEN e.definition_type IN ('NATURALNESS', 'STYLE') THEN e.score_micro NOT BETWEEN 1000000 AND 5000000
      ELSE e.score_micro NOT BETWEEN 0 AND 1000000 END AS is_unscaled
  FROM experiments.evaluation_day d
  JOIN experiments.evaluation e ON e.application_id = d.application_id
    AND e.created_at >= d.day::timestamp AT TIME ZONE 'UTC'
    AND e.created_at < (d.day + 1)::timestamp AT TIME ZONE 'UTC'
    AND coalesce(e.topic_id, '00000000-0000-0000-0000-000000000000') = d.topic_id
    AND e.definition_id = d.definition_id AND e.definition_type = d.definition_type AND e.status = d.status
  WHERE e.replaced_by IS NULL AND e.score_micro IS NOT NULL
    AND CASE WHEN d.definition_type IN ('NATURALNESS', 'STYLE') THEN d.score_min < 1000000 OR d.score_max > 5000000
      ELSE d.score_min < 0 OR d.score_max > 1000000 END;
CREATE VIEW experiments.unscaled_test WITH (security_invoker = true) AS
  SELECT t.application_id, t.run_id, d.day, d.topic_id, d.run_type, d.status, t.score_micro,
    t.score_micro NOT BETWEEN 0 AND 1000000 AS is_unscaled
  FROM experiments.test_day d
  JOIN experiments.test t ON t.application_id = d.application_id
    AND t.created_at >= d.day::timestamp AT TIME ZONE 'UTC'
    AND t.created_at < (d.day + 1)::timestamp AT TIME ZONE 'UTC'
    AND coalesce(t.topic_id, '00000000-0000-0000-0000-000000000000') = d.topic_id
    AND t.run_type = d.run_type AND t.status = d.status
  WHERE t.score_micro IS NOT NULL AND (d.score_min < 0 OR d.score_max > 1000000);

DO $$
DECLARE
  applications uuid[];
  application uuid;
BEGIN
  -- Row-level security shows the owner one application. Finding them all needs a lock on the tables of sums, which the
  -- rolled back subtransaction releases at once.
  BEGIN
    ALTER TABLE experiments.evaluation_day NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE experiments.test_day NO FORCE ROW LEVEL SECURITY;
    applications := ARRAY(
      SELECT application_id FROM experiments.evaluation_day
      WHERE CASE WHEN definition_type IN ('NATURALNESS', 'STYLE') THEN score_min < 1000000 OR score_max > 5000000
        ELSE score_min < 0 OR score_max > 1000000 END
      UNION SELECT application_id FROM experiments.test_day WHERE score_min < 0 OR score_max > 1000000);
    RAISE EXCEPTION SQLSTATE 'EM001';
  EXCEPTION WHEN SQLSTATE 'EM001' THEN
    NULL;
  END;

  FOREACH application IN ARRAY applications LOOP
    PERFORM set_config('ems.application_id', application::text, true);
    -- Writers of results change days first, so that they wait here.
    PERFORM FROM experiments.evaluation_day WHERE application_id = application
      AND CASE WHEN definition_type IN ('NATURALNESS', 'STYLE') THEN score_min < 1000000 OR score_max > 5000000
        ELSE score_min < 0 OR score_max > 1000000 END
      ORDER BY day, topic_id, definition_id, definition_type, status FOR UPDATE;

    UPDATE experiments.run_definition s SET score_rows = s.score_rows - u.number, score_sum = s.score_sum - u.total
    FROM (SELECT run_id, definition_id, definition_type, count(*) AS number, sum(quarters) AS total
      FROM experiments.unscaled_evaluation WHERE application_id = application AND is_unscaled AND status = 'COMPLETED'
      GROUP BY run_id, definition_id, definition_type) u
    WHERE s.application_id = application AND s.run_id = u.run_id AND s.definition_id = u.definition_id
      AND s.definition_type = u.definition_type;

    UPDATE experiments.task_definition_day s SET scores = s.scores - u.number, score_sum = s.score_sum - u.total,
      score_squares = s.score_squares - u.squares
    FROM (SELECT e.task_id, e.definition_id, e.day, r.type = 'MONITORING' AS is_monitoring, count(*) AS number,
        sum(e.quarters) AS total, sum(e.quarters::numeric * e.quarters) AS squares
      FROM experiments.unscaled_evaluation e
      JOIN experiments.run r ON r.application_id = application AND r.id = e.run_id
      WHERE e.application_id = application AND e.is_unscaled
        AND (e.status = 'FAILED' OR (e.status = 'COMPLETED' AND e.passed IS NOT NULL))
      GROUP BY e.task_id, e.definition_id, e.day, r.type = 'MONITORING') u
    WHERE s.application_id = application AND s.task_id = u.task_id AND s.definition_id = u.definition_id
      AND s.day = u.day AND s.is_monitoring = u.is_monitoring;

    -- Rows that only the archive has leave a bound at the end of the scale.
    UPDATE experiments.evaluation_day s SET score_rows = s.score_rows - u.number, score_sum = s.score_sum - u.total,
      score_min = CASE WHEN s.score_rows > u.found THEN least(u.least, greatest(s.score_min, u.low)) ELSE u.least END,
      score_max = CASE WHEN s.score_rows > u.found THEN greatest(u.most, least(s.score_max, u.high)) ELSE u.most END
    FROM (SELECT day, topic_id, definition_id, definition_type, status, count(*) AS found,
        count(*) FILTER (WHERE is_unscaled) AS number,
        coalesce(sum(score_micro) FILTER (WHERE is_unscaled), 0) AS total,
        min(score_micro) FILTER (WHERE NOT is_unscaled) AS least,
        max(score_micro) FILTER (WHERE NOT is_unscaled) AS most,
        CASE WHEN definition_type IN ('NATURALNESS', 'STYLE') THEN 1000000 ELSE 0 END AS low,
        CASE WHEN definition_type IN ('NATURALNESS', 'STYLE') THEN 5000000 ELSE 1000000 END AS high
      FROM experiments.unscaled_evaluation WHERE application_id = application
      GROUP BY day, topic_id, definition_id, definition_type, status) u
    WHERE s.application_id = application AND s.day = u.day AND s.topic_id = u.topic_id
      AND s.definition_id = u.definition_id AND s.definition_type = u.definition_type AND s.status = u.status;

    UPDATE experiments.run_stat s SET score_rows = s.score_rows - u.number, score_sum = s.score_sum - u.total
    FROM (SELECT run_id, count(*) AS number, sum(score_micro) AS total FROM experiments.unscaled_test
      WHERE application_id = application AND is_unscaled AND status = 'COMPLETED' GROUP BY run_id) u
    WHERE s.application_id = application AND s.run_id = u.run_id;

    UPDATE experiments.test_day s SET score_rows = s.score_rows - u.number, score_sum = s.score_sum - u.total,
      score_min = CASE WHEN s.score_rows > u.found THEN least(u.least, greatest(s.score_min, 0)) ELSE u.least END,
      score_max = CASE WHEN s.score_rows > u.found THEN greatest(u.most, least(s.score_max, 1000000)) ELSE u.most END
    FROM (SELECT day, topic_id, run_type, status, count(*) AS found, count(*) FILTER (WHERE is_unscaled) AS number,
        coalesce(sum(score_micro) FILTER (WHERE is_unscaled), 0) AS total,
        min(score_micro) FILTER (WHERE NOT is_unscaled) AS least,
        max(score_micro) FILTER (WHERE NOT is_unscaled) AS most
      FROM experiments.unscaled_test WHERE application_id = application GROUP BY day, topic_id, run_type, status) u
    WHERE s.application_id = application AND s.day = u.day AND s.topic_id = u.topic_id AND s.run_type = u.run_type
      AND s.status = u.status;
  END LOOP;
  PERFORM set_config('ems.application_id', '', true);
END $$;

DROP VIEW experiments.unscaled_evaluation;
DROP VIEW experiments.unscaled_test;
