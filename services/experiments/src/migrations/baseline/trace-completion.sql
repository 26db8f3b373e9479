-- Baseline: the migration MoveTraces of services/traces takes these tables over. Their columns now are in services/traces/schema.txt.
-- The queue of incomplete traces.
CREATE TABLE experiments.trace_settling (
  application_id uuid NOT NULL,
  trace_id uuid NOT NULL,
  test_id uuid,
  has_root boolean NOT NULL,
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  due_at timestamptz(3) NOT NULL,
  leased_until timestamptz(3) NOT NULL DEFAULT '-infinity',
  org_id text NOT NULL,
  CONSTRAINT trace_settling_pkey PRIMARY KEY (application_id, trace_id)
) WITH (fillfactor = 70);
CREATE INDEX trace_settling_due ON experiments.trace_settling (due_at);
CREATE INDEX trace_settling_test ON experiments.trace_settling (application_id, test_id) WHERE test_id IS NOT NULL;
-- Applications take turns: a claim takes due traces of each.
CREATE INDEX trace_settling_turn ON experiments.trace_settling (application_id, due_at);
ALTER TABLE experiments.trace_settling ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.trace_settling
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON experiments.trace_settling TO ems_experiments_relay USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON experiments.trace_settling TO ems_experiments;
GRANT SELECT ON experiments.trace_settling TO ems_experiments_relay;
GRANT UPDATE (leased_until) ON experiments.trace_settling TO ems_experiments_relay;
