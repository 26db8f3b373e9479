-- Baseline: the migration MoveTraces of services/traces takes these tables over. Their columns now are in services/traces/schema.txt.
-- Redactions of what applications send, by application.
CREATE TABLE experiments.ingest_setting (
  application_id uuid NOT NULL,
  org_id text NOT NULL,
  redactions json NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  CONSTRAINT ingest_setting_pkey PRIMARY KEY (application_id)
);
ALTER TABLE experiments.ingest_setting ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.ingest_setting
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON experiments.ingest_setting TO ems_experiments;
