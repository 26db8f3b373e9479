-- Inference steps of applications, which experiments configure.
CREATE TABLE experiments.inference_step (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  type text NOT NULL,
  external_id text,
  title text NOT NULL,
  description text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  CONSTRAINT inference_step_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT inference_step_external_id_key UNIQUE (application_id, external_id),
  CONSTRAINT inference_step_type_check CHECK (type IN ('LLM', 'RETRIEVER'))
);
CREATE INDEX inference_step_created ON experiments.inference_step (application_id, created_at, id);
ALTER TABLE experiments.inference_step ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.inference_step
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON experiments.inference_step TO ems_experiments;
