-- Quickstarts, to which assignments and contradictions belong.
CREATE TABLE experiments.quickstart (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  title text NOT NULL,
  description text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  CONSTRAINT quickstart_pkey PRIMARY KEY (application_id, id)
);
CREATE INDEX quickstart_created ON experiments.quickstart (application_id, created_at, id);
ALTER TABLE experiments.quickstart ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.quickstart
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON experiments.quickstart TO ems_experiments;
