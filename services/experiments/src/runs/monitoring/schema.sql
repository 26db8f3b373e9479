-- Execution settings of an application: sample rate of live traffic, timeouts of tests, and the minimum kappa of a
-- reliable judge.
CREATE TABLE experiments.execution_setting (
  application_id uuid NOT NULL,
  org_id text NOT NULL,
  sample_rate double precision NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  test_timeout_ms integer,
  kappa_floor double precision,
  CONSTRAINT execution_setting_pkey PRIMARY KEY (application_id),
  CONSTRAINT execution_setting_sample_rate_check CHECK (sample_rate BETWEEN 0 AND 1),
  CONSTRAINT execution_setting_kappa_floor_check CHECK (kappa_floor BETWEEN 0 AND 1)
);
ALTER TABLE experiments.execution_setting ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.execution_setting
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON experiments.execution_setting TO ems_experiments_relay USING (true);
GRANT SELECT, INSERT, UPDATE ON experiments.execution_setting TO ems_experiments;
GRANT SELECT ON experiments.execution_setting TO ems_experiments_relay;
