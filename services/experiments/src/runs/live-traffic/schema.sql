-- Runs of judged live traffic: one per application and UTC day.
CREATE TABLE experiments.monitoring_run (
  application_id uuid NOT NULL,
  day date NOT NULL,
  run_id uuid NOT NULL,
  org_id text NOT NULL,
  is_open boolean NOT NULL DEFAULT true,
  CONSTRAINT monitoring_run_pkey PRIMARY KEY (application_id, day)
);
CREATE INDEX monitoring_run_open ON experiments.monitoring_run (day) WHERE is_open;
ALTER TABLE experiments.monitoring_run ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.monitoring_run
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON experiments.monitoring_run TO ems_experiments_relay USING (true);
GRANT SELECT, INSERT ON experiments.monitoring_run TO ems_experiments;
GRANT SELECT ON experiments.monitoring_run TO ems_experiments_relay;
GRANT UPDATE (is_open) ON experiments.monitoring_run TO ems_experiments;
