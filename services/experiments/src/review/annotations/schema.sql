-- Annotations: notes on the history of an application.
CREATE TABLE experiments.annotation (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  title text NOT NULL,
  description text,
  trace_step_id uuid,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  -- The author, if a user wrote it.
  author_id text,
  CONSTRAINT annotation_pkey PRIMARY KEY (application_id, id)
);
CREATE INDEX annotation_created ON experiments.annotation (application_id, created_at, id);
ALTER TABLE experiments.annotation ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.annotation
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON experiments.annotation TO ems_experiments;
