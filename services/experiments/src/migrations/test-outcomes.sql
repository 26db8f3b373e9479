-- Tests get the cause of a missing verdict, and sums count such tests separately. `broken` has the stored evaluations
-- without a verdict that was due, and `changed` the tests whose outcome or verdict changes, with the differences of their
-- sums. Sums of results that retention or the archive removed are unchanged.
ALTER TABLE experiments.test ADD COLUMN error_cause text;
ALTER TABLE experiments.run_stat ADD COLUMN errored bigint NOT NULL DEFAULT 0,
  ADD COLUMN evaluation_score_rows bigint NOT NULL DEFAULT 0, ADD COLUMN evaluation_score_sum numeric NOT NULL DEFAULT 0;
ALTER TABLE experiments.run_definition ADD COLUMN errored bigint NOT NULL DEFAULT 0;
ALTER TABLE experiments.task_stat ADD COLUMN errored bigint NOT NULL DEFAULT 0;
ALTER TABLE experiments.task_definition_day ADD COLUMN errored bigint NOT NULL DEFAULT 0;
ALTER TABLE experiments.task_day ADD COLUMN errored bigint NOT NULL DEFAULT 0;
ALTER TABLE experiments.test_day ADD COLUMN errored bigint NOT NULL DEFAULT 0;

ALTER TABLE experiments.test NO FORCE ROW LEVEL SECURITY;
ALTER TABLE experiments.evaluation NO FORCE ROW LEVEL SECURITY;
ALTER TABLE experiments.archive_batch NO FORCE ROW LEVEL SECURITY;
ALTER TABLE experiments.run NO FORCE ROW LEVEL SECURITY;
ALTER TABLE experiments.run_stat NO FORCE ROW LEVEL SECURITY;
ALTER TABLE experiments.run_definition NO FORCE ROW LEVEL SECURITY;
ALTER TABLE experiments.task_stat NO FORCE ROW LEVEL SECURITY;
ALTER TABLE experiments.task_day NO FORCE ROW LEVEL SECURITY;
ALTER TABLE experiments.task_definition_day NO FORCE ROW LEVEL SECURITY;
ALTER TABLE experiments.test_day NO FORCE ROW LEVEL SECURITY;
ALTER TABLE experiments.evaluation_day NO FORCE ROW LEVEL SECURITY;

CREATE UNLOGGED TABLE experiments.broken AS
  SELECT e.*, CASE WHEN e.definition_type IN ('NATURALNESS', 'STYLE')
      THEN CASE WHEN e.score_micro BETWEEN 1000000 AND 5000000 THEN e.score_micro - 1000000 END
      ELSE CASE WHEN e.score_micro BETWEEN 0 AND 1000000 THEN 4 * e.score_micro END END::numeric AS quarter_score,
    CASE split_part(e.message, ':', 1)
      WHEN 'no_output' THEN 1
      WHEN 'no_model_connection' THEN 2 WHEN 'no_context' THEN 2 WHEN 'definition_deleted' THEN 2 WHEN 'model_error' THEN 2
      ELSE 3 END AS cause
  FROM experiments.evaluation e
  WHERE e.status IN ('FAILED', 'PENDING', 'IN_PROGRESS') AND e.replaced_by IS NULL;

-- A test recorded without a verdict has that of its evaluations.
CREATE UNLOGGED TABLE experiments.changed AS
  SELECT t.*, c.counted - t.was_counted AS counted, c.now_passed - t.was_passed AS passed_tests,
    c.counted - t.was_judged AS passed_rows, c.now_passed - t.was_true AS passed_true,
    CASE WHEN t.cause IS NOT NULL THEN 1 ELSE 0 END AS errored,
    CASE WHEN t.cause IS NOT NULL AND t.status = 'COMPLETED' AND t.score_micro IS NOT NULL THEN -1 ELSE 0 END AS score_rows,
    CASE WHEN t.cause IS NOT NULL AND t.status = 'COMPLETED' THEN -coalesce(t.score_micro, 0) ELSE 0 END AS score_sum,
    CASE WHEN t.cause IS NOT NULL AND t.score_micro IS NOT NULL THEN -1 ELSE 0 END AS day_score_rows,
    CASE WHEN t.cause IS NOT NULL THEN -coalesce(t.score_micro, 0) ELSE 0 END AS day_score_sum
  FROM (
    SELECT t.application_id, t.id, t.created_at, t.task_id, t.topic_id, t.run_id, t.run_type, t.status,
      CASE WHEN t.score_micro BETWEEN 0 AND 1000000 THEN t.score_micro END AS score_micro, t.evaluation_count,
      t.evaluation_passed, (t.created_at AT TIME ZONE 'UTC')::date AS day,
      CASE WHEN t.status = 'FAILED' OR t.passed IS NOT NULL THEN 1 ELSE 0 END AS was_counted,
      CASE WHEN t.status = 'COMPLETED' AND t.passed THEN 1 ELSE 0 END AS was_passed,
      CASE WHEN t.passed IS NOT NULL THEN 1 ELSE 0 END AS was_judged, CASE WHEN t.passed THEN 1 ELSE 0 END AS was_true,
      CASE WHEN t.status = 'COMPLETED' THEN (ARRAY['APPLICATION', 'CONFIGURATION', 'JUDGE'])[b.cause]
        WHEN t.message IN ('prompt_failed: The application has no webhook', 'prompt_failed: The webhook is disabled')
          OR split_part(t.message, ':', 1) IN ('no_model_connection', 'model_error') THEN 'CONFIGURATION'
        WHEN split_part(t.message, ':', 1) IN ('model_refused', 'invalid_answer', 'attempts_exhausted') THEN 'JUDGE'
        ELSE 'APPLICATION' END AS cause
    FROM experiments.test t
    LEFT JOIN (SELECT application_id, test_id, created_at, min(cause) AS cause FROM experiments.broken GROUP BY 1, 2, 3) b
      ON b.application_id = t.application_id AND b.test_id = t.id AND b.created_at = t.created_at
    WHERE t.status = 'FAILED'
      OR (t.status = 'COMPLETED' AND (b.cause IS NOT NULL OR (t.passed IS NULL AND t.evaluation_count > 0)))
  ) t, LATERAL (
    SELECT CASE WHEN t.cause IS NULL THEN 1 ELSE 0 END AS counted,
      CASE WHEN t.cause IS NULL AND t.evaluation_passed = t.evaluation_count THEN 1 ELSE 0 END AS now_passed
  ) c;

UPDATE experiments.test t SET error_cause = c.cause,
    passed = CASE WHEN c.cause IS NULL THEN c.evaluation_passed = c.evaluation_count ELSE t.passed END
  FROM experiments.changed c WHERE t.application_id = c.application_id AND t.id = c.id AND t.created_at = c.created_at;
UPDATE experiments.test t SET evaluation_count = t.evaluation_count - b.failed
  FROM (SELECT application_id, test_id, created_at, count(*)::integer AS failed FROM experiments.broken WHERE status = 'FAILED'
    GROUP BY 1, 2, 3) b
  WHERE t.application_id = b.application_id AND t.id = b.test_id AND t.created_at = b.created_at;

UPDATE experiments.run_stat s SET errored = c.errored, counted = s.counted + c.counted, passed = s.passed + c.passed_tests,
    score_rows = s.score_rows + c.score_rows, score_sum = s.score_sum + c.score_sum
  FROM (SELECT application_id, run_id, sum(errored) AS errored, sum(counted) AS counted, sum(passed_tests) AS passed_tests,
      sum(score_rows) AS score_rows, sum(score_sum) AS score_sum
    FROM experiments.changed GROUP BY 1, 2) c
  WHERE s.application_id = c.application_id AND s.run_id = c.run_id;
UPDATE experiments.run_stat s SET evaluation_score_rows = d.rows, evaluation_score_sum = d.total
  FROM (SELECT application_id, run_id, sum(score_rows) AS rows, sum(score_sum) AS total
    FROM experiments.run_definition GROUP BY 1, 2) d
  WHERE s.application_id = d.application_id AND s.run_id = d.run_id;
UPDATE experiments.run_stat s SET evaluation_score_rows = s.evaluation_score_rows - e.rows,
    evaluation_score_sum = s.evaluation_score_sum - e.total
  FROM (SELECT c.application_id, c.run_id, count(*) AS rows, sum(CASE WHEN e.definition_type IN ('NATURALNESS', 'STYLE')
        THEN e.score_micro - 1000000 ELSE 4 * e.score_micro END) AS total
    FROM experiments.changed c JOIN experiments.evaluation e
      ON e.application_id = c.application_id AND e.test_id = c.id AND e.created_at = c.created_at
    WHERE c.cause IS NOT NULL AND e.replaced_by IS NULL AND e.status = 'COMPLETED'
      AND CASE WHEN e.definition_type IN ('NATURALNESS', 'STYLE') THEN e.score_micro BETWEEN 1000000 AND 5000000
        ELSE e.score_micro BETWEEN 0 AND 1000000 END
    GROUP BY 1, 2) e
  WHERE s.application_id = e.application_id AND s.run_id = e.run_id;
UPDATE experiments.task_day s SET errored = c.errored, tests = s.tests + c.counted, tests_passed = s.tests_passed + c.passed_tests
  FROM (SELECT application_id, task_id, day, run_type = 'MONITORING' AS is_monitoring, sum(errored) AS errored,
      sum(counted) AS counted, sum(passed_tests) AS passed_tests
    FROM experiments.changed GROUP BY 1, 2, 3, 4) c
  WHERE s.application_id = c.application_id AND s.task_id = c.task_id AND s.day = c.day AND s.is_monitoring = c.is_monitoring;
UPDATE experiments.task_stat s SET errored = c.errored, passed_rows = s.passed_rows + c.passed_rows,
    passed_true = s.passed_true + c.passed_true
  FROM (SELECT application_id, task_id, sum(errored) AS errored, sum(passed_rows) AS passed_rows, sum(passed_true) AS passed_true
    FROM experiments.changed GROUP BY 1, 2) c
  WHERE s.application_id = c.application_id AND s.task_id = c.task_id;
-- A task's rate is that of the application in use: experiments leave it.
UPDATE experiments.task_stat s SET errored = s.errored - e.errored, passed_rows = s.passed_rows - e.passed_rows,
    passed_true = s.passed_true - e.passed_true
  FROM (SELECT application_id, task_id, count(error_cause) AS errored, count(passed) FILTER (WHERE error_cause IS NULL) AS passed_rows,
      count(*) FILTER (WHERE passed AND error_cause IS NULL) AS passed_true
    FROM experiments.test WHERE run_type = 'EXPERIMENT' GROUP BY 1, 2) e
  WHERE s.application_id = e.application_id AND s.task_id = e.task_id;

CREATE UNLOGGED TABLE experiments.changed_day AS
  SELECT application_id, day, coalesce(topic_id, '00000000-0000-0000-0000-000000000000') AS topic_id, run_type, status,
    sum(errored) AS errored, sum(passed_rows) AS passed_rows, sum(passed_true) AS passed_true,
    sum(day_score_rows) AS score_rows, sum(day_score_sum) AS score_sum
  FROM experiments.changed GROUP BY 1, 2, 3, 4, 5;
UPDATE experiments.test_day s SET errored = c.errored, passed_rows = s.passed_rows + c.passed_rows,
    passed_true = s.passed_true + c.passed_true, score_rows = s.score_rows + c.score_rows, score_sum = s.score_sum + c.score_sum
  FROM experiments.changed_day c
  WHERE s.application_id = c.application_id AND s.day = c.day AND s.topic_id = c.topic_id AND s.run_type = c.run_type
    AND s.status = c.status;
UPDATE experiments.test_day s SET (score_min, score_max) = (
    SELECT min(r.score_micro), max(r.score_micro) FROM experiments.test r
    WHERE r.score_micro BETWEEN 0 AND 1000000 AND r.application_id = s.application_id AND r.created_at >= s.day::timestamp AT TIME ZONE 'UTC'
      AND r.created_at < (s.day + 1)::timestamp AT TIME ZONE 'UTC'
      AND coalesce(r.topic_id, '00000000-0000-0000-0000-000000000000') = s.topic_id AND r.run_type = s.run_type
      AND r.status = s.status AND r.error_cause IS NULL)
  FROM experiments.changed_day c
  WHERE s.application_id = c.application_id AND s.day = c.day AND s.topic_id = c.topic_id AND s.run_type = c.run_type
    AND s.status = c.status AND c.score_rows < 0
    AND NOT EXISTS (SELECT FROM experiments.archive_batch b WHERE b.application_id = s.application_id AND b.kind = 'results'
      AND b.state = 'dropped' AND b.ends > s.day::timestamp AT TIME ZONE 'UTC' AND b.starts < (s.day + 1)::timestamp AT TIME ZONE 'UTC');

UPDATE experiments.run_definition s SET errored = b.rows, counted = s.counted - b.rows
  FROM (SELECT application_id, run_id, definition_id, definition_type, count(*) AS rows FROM experiments.broken WHERE status = 'FAILED'
    GROUP BY 1, 2, 3, 4) b
  WHERE s.application_id = b.application_id AND s.run_id = b.run_id AND s.definition_id = b.definition_id
    AND s.definition_type = b.definition_type;
UPDATE experiments.task_definition_day s SET errored = b.rows, evaluations = s.evaluations - b.rows, scores = s.scores - b.scores,
    score_sum = s.score_sum - b.score_sum, score_squares = s.score_squares - b.score_squares
  FROM (SELECT f.application_id, f.task_id, f.definition_id, (f.created_at AT TIME ZONE 'UTC')::date AS day,
      r.type = 'MONITORING' AS is_monitoring, count(*) AS rows, count(f.quarter_score) AS scores,
      coalesce(sum(f.quarter_score), 0) AS score_sum, coalesce(sum(f.quarter_score * f.quarter_score), 0) AS score_squares
    FROM experiments.broken f JOIN experiments.run r ON r.application_id = f.application_id AND r.id = f.run_id
    WHERE f.status = 'FAILED' GROUP BY 1, 2, 3, 4, 5) b
  WHERE s.application_id = b.application_id AND s.task_id = b.task_id AND s.definition_id = b.definition_id
    AND s.day = b.day AND s.is_monitoring = b.is_monitoring;
-- Failed evaluations that were recorded with a verdict or a score.
UPDATE experiments.evaluation_day s SET passed_rows = 0, passed_true = 0, score_rows = 0, score_sum = 0, score_min = NULL,
    score_max = NULL
  WHERE s.status = 'FAILED' AND (s.passed_rows > 0 OR s.score_rows > 0);

DROP TABLE experiments.broken, experiments.changed, experiments.changed_day;

ALTER TABLE experiments.test FORCE ROW LEVEL SECURITY;
ALTER TABLE experiments.evaluation FORCE ROW LEVEL SECURITY;
ALTER TABLE experiments.archive_batch FORCE ROW LEVEL SECURITY;
ALTER TABLE experiments.run FORCE ROW LEVEL SECURITY;
ALTER TABLE experiments.run_stat FORCE ROW LEVEL SECURITY;
ALTER TABLE experiments.run_definition FORCE ROW LEVEL SECURITY;
ALTER TABLE experiments.task_stat FORCE ROW LEVEL SECURITY;
ALTER TABLE experiments.task_day FORCE ROW LEVEL SECURITY;
ALTER TABLE experiments.task_definition_day FORCE ROW LEVEL SECURITY;
ALTER TABLE experiments.test_day FORCE ROW LEVEL SECURITY;
ALTER TABLE experiments.evaluation_day FORCE ROW LEVEL SECURITY;

-- Errored tests have no verdict and no score in reports.
CREATE OR REPLACE VIEW reporting.test_v1 AS
  SELECT application_id, org_id, id, task_id, topic_id, run_id, run_type, status,
    CASE WHEN error_cause IS NULL THEN score_micro END AS score_micro, CASE WHEN error_cause IS NULL THEN passed END AS passed,
    duration_ms, created_at, coalesce(modified_at, created_at) AS modified_at,
    CASE WHEN status IN ('PENDING', 'IN_PROGRESS') THEN NULL WHEN error_cause IS NOT NULL THEN 'ERRORED'
      WHEN passed IS NULL THEN 'NONE' WHEN passed THEN 'PASSED' ELSE 'FAILED' END AS outcome,
    error_cause, CASE WHEN status IN ('COMPLETED', 'FAILED') THEN error_cause IS NOT NULL END AS errored
  FROM experiments.test;
CREATE OR REPLACE VIEW reporting.evaluation_v1 AS
  SELECT application_id, org_id, id, test_id, run_id, task_id, topic_id, definition_id, definition_type, status,
    CASE WHEN status <> 'FAILED' THEN score_micro END AS score_micro, CASE WHEN status <> 'FAILED' THEN passed END AS passed,
    created_at, coalesce(modified_at, created_at) AS modified_at, input_tokens, output_tokens, cost_micro, duration_ms,
    judge_version, model, uncertain_cost_micro, estimated_tokens,
    CASE WHEN status IN ('COMPLETED', 'FAILED', 'SKIPPED') THEN status = 'FAILED' END AS errored,
    (SELECT r.type FROM experiments.run r WHERE r.application_id = e.application_id AND r.id = e.run_id) AS run_type
  FROM experiments.evaluation e
  WHERE replaced_by IS NULL;
CREATE OR REPLACE VIEW reporting.test_day_v1 AS
  SELECT application_id, org_id, day, nullif(topic_id, '00000000-0000-0000-0000-000000000000') AS topic_id, run_type,
    status, rows, passed_rows, passed_true, score_rows, score_sum, score_min, score_max, duration_rows, duration_sum,
    duration_min, duration_max, CASE WHEN status IN ('COMPLETED', 'FAILED') THEN rows ELSE 0 END AS errored_rows,
    errored AS errored_true
  FROM experiments.test_day
  WHERE rows > 0;
CREATE OR REPLACE VIEW reporting.evaluation_day_v1 AS
  SELECT application_id, org_id, day, nullif(topic_id, '00000000-0000-0000-0000-000000000000') AS topic_id,
    definition_id, definition_type, status, rows, passed_rows, passed_true, score_rows, score_sum, score_min, score_max,
    CASE WHEN status IN ('COMPLETED', 'FAILED', 'SKIPPED') THEN rows ELSE 0 END AS errored_rows,
    CASE WHEN status = 'FAILED' THEN rows ELSE 0 END AS errored_true
  FROM experiments.evaluation_day
  WHERE rows > 0;
CREATE OR REPLACE VIEW reporting.task_stat_v1 AS
  SELECT application_id, org_id, task_id, tests, passed_rows, passed_true, last_test_at, errored
  FROM experiments.task_stat;
CREATE OR REPLACE VIEW reporting.task_day_v1 AS
  SELECT task_day.application_id, task_day.task_id, task_day.day, task_day.is_monitoring, task_day.tests,
    task_day.tests_passed, 0::bigint AS evaluations, 0::bigint AS evaluations_passed, 0::bigint AS scores,
    0::numeric AS score_sum, 0::numeric AS score_squares, task_day.errored
  FROM experiments.task_day
  UNION ALL
  SELECT task_definition_day.application_id, task_definition_day.task_id, task_definition_day.day,
    task_definition_day.is_monitoring, 0 AS tests, 0 AS tests_passed, task_definition_day.evaluations,
    task_definition_day.evaluations_passed, task_definition_day.scores, task_definition_day.score_sum,
    task_definition_day.score_squares, 0::bigint AS errored
  FROM experiments.task_definition_day;
CREATE OR REPLACE VIEW reporting.task_definition_day_v1 AS
  SELECT application_id, task_id, definition_id, day, is_monitoring, evaluations, evaluations_passed, scores,
    score_sum, score_squares, errored
  FROM experiments.task_definition_day;
