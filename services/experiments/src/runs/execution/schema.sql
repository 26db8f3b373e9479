-- The queue of tests in flight.

-- Few rows that change often: only tests that have not ended.
CREATE TABLE experiments.test_execution (
  application_id uuid NOT NULL,
  test_id uuid NOT NULL,
  org_id text NOT NULL,
  run_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  state text NOT NULL,
  due_at timestamptz(3) NOT NULL,
  attempt integer NOT NULL DEFAULT 0,
  definitions json NOT NULL,
  evaluations json NOT NULL,
  metadata json,
  CONSTRAINT test_execution_pkey PRIMARY KEY (application_id, test_id),
  CONSTRAINT test_execution_state_check
    CHECK (state IN ('queued', 'prompt', 'writing', 'delivery', 'trace', 'judge', 'judging'))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
CREATE INDEX test_execution_work ON experiments.test_execution (application_id, due_at)
  WHERE state IN ('prompt', 'judge');
CREATE INDEX test_execution_deadline ON experiments.test_execution (due_at) WHERE state IN ('delivery', 'trace');
-- Runs of variants request a few prompts at a time, so that they can be stopped; the others are queued.
CREATE INDEX test_execution_run ON experiments.test_execution (application_id, run_id, test_id)
  WHERE state IN ('queued', 'prompt', 'writing', 'delivery');
ALTER TABLE experiments.test_execution ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.test_execution
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON experiments.test_execution TO ems_experiments_relay USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON experiments.test_execution TO ems_experiments;
GRANT SELECT ON experiments.test_execution TO ems_experiments_relay;
GRANT UPDATE (state, due_at, attempt) ON experiments.test_execution TO ems_experiments_relay;
