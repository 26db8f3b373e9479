-- Sums of a task's tests by type of run, for reports that select run types. They begin with the tests in PostgreSQL:
-- sums of tests that were archived or deleted before have no run type.
CREATE TABLE experiments.task_run_type (
  application_id uuid NOT NULL,
  task_id uuid NOT NULL,
  run_type text NOT NULL,
  org_id text NOT NULL,
  tests bigint NOT NULL,
  passed_rows bigint NOT NULL,
  passed_true bigint NOT NULL,
  errored bigint NOT NULL,
  last_test_at timestamptz(3) NOT NULL,
  CONSTRAINT task_run_type_pkey PRIMARY KEY (application_id, task_id, run_type)
) WITH (fillfactor = 70);

ALTER TABLE experiments.test NO FORCE ROW LEVEL SECURITY;
INSERT INTO experiments.task_run_type
  SELECT application_id, task_id, run_type, org_id, count(*), count(passed) FILTER (WHERE NOT is_errored),
    count(*) FILTER (WHERE passed AND NOT is_errored), count(*) FILTER (WHERE is_errored), max(created_at)
  FROM (SELECT *, status = 'FAILED' OR error_cause IS NOT NULL AS is_errored FROM experiments.test) test
  GROUP BY 1, 2, 3, 4;
ALTER TABLE experiments.test FORCE ROW LEVEL SECURITY;

ALTER TABLE experiments.task_run_type ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.task_run_type
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON experiments.task_run_type TO ems_experiments;

CREATE VIEW reporting.task_run_type_v1 AS
  SELECT application_id, org_id, task_id, run_type, tests, passed_rows, passed_true, errored, last_test_at
  FROM experiments.task_run_type;
GRANT SELECT ON reporting.task_run_type_v1 TO ems_reporting;
