-- Settings of applications: budgets, and the judging of tests.
CREATE TABLE evaluation.setting (
  application_id uuid NOT NULL,
  org_id text NOT NULL,
  default_connection_id uuid,
  votes integer NOT NULL DEFAULT 1,
  day_money_micro bigint,
  day_tokens bigint,
  month_money_micro bigint,
  month_tokens bigint,
  modified_at timestamptz(3) NOT NULL,
  CONSTRAINT setting_pkey PRIMARY KEY (application_id)
);
ALTER TABLE evaluation.setting ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON evaluation.setting
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON evaluation.setting TO ems_evaluation;
