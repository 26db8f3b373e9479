-- Evaluations of traces by other tools. They may arrive before their trace, and stay until retention if it is archived.
CREATE TABLE traces.external_evaluation (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  trace_id uuid,
  context_id uuid,
  call_id uuid,
  name text NOT NULL,
  score double precision,
  label text,
  explanation text,
  source text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT external_evaluation_pkey PRIMARY KEY (application_id, id)
);
CREATE INDEX external_evaluation_trace ON traces.external_evaluation (application_id, trace_id, created_at, id);
CREATE INDEX external_evaluation_name ON traces.external_evaluation (application_id, name, created_at, id);
CREATE INDEX external_evaluation_created ON traces.external_evaluation (application_id, created_at, id);
CREATE INDEX external_evaluation_call ON traces.external_evaluation (application_id, call_id) WHERE call_id IS NOT NULL;
ALTER TABLE traces.external_evaluation ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON traces.external_evaluation
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON traces.external_evaluation TO ems_traces_relay USING (true);
GRANT SELECT, INSERT, DELETE, UPDATE (trace_id, call_id) ON traces.external_evaluation TO ems_traces;
GRANT SELECT (application_id, id, created_at), DELETE ON traces.external_evaluation TO ems_traces_relay;

-- Their names, which are limited by application.
CREATE TABLE traces.evaluation_name (
  application_id uuid NOT NULL,
  name text NOT NULL,
  CONSTRAINT evaluation_name_pkey PRIMARY KEY (application_id, name)
);
ALTER TABLE traces.evaluation_name ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON traces.evaluation_name
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, DELETE ON traces.evaluation_name TO ems_traces;

-- Model calls are found by their response, in the trace and in all traces.
DROP INDEX traces.trace_step_call;
CREATE INDEX trace_step_call ON traces.trace_step (application_id, call_id, trace_id) WHERE call_id <> id;

-- Reports contain no explanations.
CREATE VIEW reporting.external_evaluation_v1 AS
  SELECT application_id, org_id, id, trace_id, name, score, label, source, created_at
  FROM traces.external_evaluation;
GRANT SELECT ON reporting.external_evaluation_v1 TO ems_reporting;
