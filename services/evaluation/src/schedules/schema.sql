-- Schedules of tasks.
CREATE TABLE evaluation.task_schedule (
  application_id uuid NOT NULL,
  task_id uuid NOT NULL,
  org_id text NOT NULL,
  cron text NOT NULL,
  timezone text NOT NULL,
  criticality text NOT NULL,
  last_run_at timestamptz(3),
  next_run_at timestamptz(3),
  leased_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  CONSTRAINT task_schedule_pkey PRIMARY KEY (application_id, task_id),
  CONSTRAINT task_schedule_criticality_check CHECK (criticality IN ('LOW', 'MEDIUM', 'HIGH'))
);
CREATE INDEX task_schedule_due ON evaluation.task_schedule (next_run_at);
ALTER TABLE evaluation.task_schedule ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON evaluation.task_schedule
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON evaluation.task_schedule TO ems_evaluation_relay USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON evaluation.task_schedule TO ems_evaluation;
GRANT SELECT ON evaluation.task_schedule TO ems_evaluation_relay;
GRANT UPDATE (leased_until) ON evaluation.task_schedule TO ems_evaluation_relay;

-- View for catalog's tasks.
CREATE VIEW catalog.task_schedule_v1 AS
  SELECT application_id, task_id, cron, timezone, criticality, last_run_at, next_run_at
  FROM evaluation.task_schedule;
GRANT SELECT ON catalog.task_schedule_v1 TO ems_catalog;
