-- Tasks, and a function that finds them by the levels of their results.
CREATE TABLE catalog.task (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  topic_id uuid,
  title text NOT NULL,
  description text NOT NULL,
  type text NOT NULL,
  status text NOT NULL,
  is_verified boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  prompts text[] NOT NULL DEFAULT '{}',
  metadata jsonb NOT NULL DEFAULT '{}',
  simulated_prompt_schema jsonb,
  parent_id uuid,
  trace_id uuid,
  quickstart_id uuid,
  -- For a DEDUCED task of live traffic without a task: its topic, else the application.
  deduced_for uuid,
  CONSTRAINT task_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT task_deduced_for_key UNIQUE (application_id, deduced_for),
  CONSTRAINT task_status_check CHECK (status IN ('DEDUCED', 'DRAFT', 'ACTIVE', 'ARCHIVED')),
  CONSTRAINT task_type_check CHECK (type IN ('NORMAL', 'STATIC')),
  CONSTRAINT task_topic_fkey FOREIGN KEY (application_id, topic_id) REFERENCES catalog.topic (application_id, id),
  CONSTRAINT task_parent_fkey FOREIGN KEY (application_id, parent_id) REFERENCES catalog.task (application_id, id),
  CONSTRAINT task_quickstart_fkey FOREIGN KEY (application_id, quickstart_id)
    REFERENCES catalog.quickstart (application_id, id)
);
CREATE INDEX task_topic ON catalog.task (application_id, topic_id);
CREATE INDEX task_created ON catalog.task (application_id, created_at, id);
-- Finds the tasks made from a trace.
CREATE INDEX task_trace ON catalog.task (application_id, trace_id, created_at, id) WHERE trace_id IS NOT NULL;
ALTER TABLE catalog.task ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON catalog.task
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON catalog.task TO ems_catalog;

-- For reports; includes archived tasks.
CREATE VIEW reporting.task_v1 AS
  SELECT application_id, org_id, id, title, description, type, status, topic_id, is_verified, created_at, modified_at
  FROM catalog.task;
GRANT SELECT ON reporting.task_v1 TO ems_reporting;

-- Returns the tasks whose results of the last 30 days have one of the levels of each kind in `levels`, such as
-- {"confidence": ["HIGH", "MEDIUM"], "status": ["success"]}. Formulas and order of operations are those of
-- metrics/metrics.ts. Scores are summed only if needed, and the levels are read once. Nested loops are disabled: with
-- stale statistics the planner expects one row on each side.
CREATE FUNCTION catalog.find_measured_tasks(levels jsonb) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_nestloop = off SET jit = off
SET max_parallel_workers_per_gather = 0 SET work_mem = '32MB' AS $$
DECLARE
  tenant uuid := nullif(current_setting('ems.application_id', true), '')::uuid;
  z CONSTANT double precision := 1.959963984540054;
  of_confidence text[] := ARRAY(SELECT jsonb_array_elements_text(levels -> 'confidence'));
  of_stability text[] := ARRAY(SELECT jsonb_array_elements_text(levels -> 'stability'));
  of_health text[] := ARRAY(SELECT jsonb_array_elements_text(levels -> 'health'));
  of_status text[] := ARRAY(SELECT jsonb_array_elements_text(levels -> 'status'));
  any_confidence boolean := cardinality(of_confidence) = 0;
  any_stability boolean := cardinality(of_stability) = 0;
  any_health boolean := cardinality(of_health) = 0;
  any_status boolean := cardinality(of_status) = 0;
  scored boolean := NOT (any_stability AND any_health);
BEGIN
  RETURN QUERY
  SELECT t.id FROM catalog.task t LEFT JOIN (
    SELECT task_id, confidence, stability, pass_rate,
      CASE WHEN confidence <> 'LOW' THEN 0.6 * pass_rate
        + 0.2 * CASE confidence WHEN 'HIGH' THEN 100::double precision ELSE 50 END
        + 0.2 * CASE stability WHEN 'HIGH' THEN 100::double precision WHEN 'MEDIUM' THEN 50 ELSE 0 END END AS health
    FROM (
      SELECT task_id, pass_rate,
        CASE WHEN half_width <= 5 THEN 'HIGH' WHEN half_width <= 15 THEN 'MEDIUM' ELSE 'LOW' END AS confidence,
        CASE WHEN squares <= 160000000000 * pairs THEN 'HIGH' WHEN squares <= 1000000000000 * pairs THEN 'MEDIUM'
          ELSE 'LOW' END AS stability
      FROM (
        SELECT task_id, (100 * passed) / nullif(tests, 0) AS pass_rate,
          CASE WHEN tests > 0 THEN 100 * ((z * sqrt(((passed / tests) * (1 - passed / tests)) / tests
            + (z * z) / (4 * tests * tests))) / (1 + (z * z) / tests)) END AS half_width,
          CASE WHEN scores >= 2 THEN scores * score_squares - score_sum * score_sum END AS squares,
          scores * (scores - 1) AS pairs
        FROM (
          SELECT d.task_id, sum(d.tests)::double precision AS tests, sum(d.tests_passed)::double precision AS passed,
            sum(d.scores) FILTER (WHERE scored) AS scores, sum(d.score_sum) FILTER (WHERE scored) AS score_sum,
            sum(d.score_squares) FILTER (WHERE scored) AS score_squares
          FROM reporting.task_day_v1 d
          WHERE d.application_id = tenant AND d.day > (now() AT TIME ZONE 'UTC')::date - 30
            AND (scored OR d.tests > 0)
          GROUP BY d.task_id
        ) sums OFFSET 0
      ) rated OFFSET 0
    ) levelled OFFSET 0
  ) h ON h.task_id = t.id
  WHERE t.application_id = tenant
    AND (any_confidence OR coalesce(h.confidence, 'LOW') = ANY (of_confidence))
    AND (any_stability OR coalesce(h.stability, 'LOW') = ANY (of_stability))
    AND (any_health OR CASE WHEN h.health >= 90 THEN 'HIGH' WHEN h.health >= 60 THEN 'MEDIUM'
      WHEN h.health IS NOT NULL THEN 'LOW' END = ANY (of_health))
    AND (any_status OR CASE WHEN h.pass_rate > 75 THEN 'success' WHEN h.pass_rate > 50 THEN 'warning'
      WHEN h.pass_rate IS NOT NULL THEN 'error' ELSE 'no-tests' END = ANY (of_status));
END $$;
REVOKE ALL ON FUNCTION catalog.find_measured_tasks FROM PUBLIC;
GRANT EXECUTE ON FUNCTION catalog.find_measured_tasks TO ems_catalog;
