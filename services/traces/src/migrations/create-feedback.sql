-- Feedback of end users on traces. It may arrive before its trace, and stays until retention if the trace is archived.
CREATE TABLE traces.feedback (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  trace_id uuid NOT NULL,
  thumb text,
  score double precision,
  comment text,
  end_user text,
  end_user_key uuid,
  source text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT feedback_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT feedback_thumb_check CHECK (thumb IN ('UP', 'DOWN')),
  CONSTRAINT feedback_source_check CHECK (source IN ('API', 'OTLP'))
);
CREATE INDEX feedback_trace ON traces.feedback (application_id, trace_id, created_at, id);
CREATE INDEX feedback_created ON traces.feedback (application_id, created_at, id);
CREATE INDEX feedback_end_user ON traces.feedback (application_id, end_user_key) WHERE end_user_key IS NOT NULL;
ALTER TABLE traces.feedback ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON traces.feedback
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON traces.feedback TO ems_traces_relay USING (true);
GRANT SELECT, INSERT, DELETE ON traces.feedback TO ems_traces;
GRANT SELECT (application_id, id, created_at), DELETE ON traces.feedback TO ems_traces_relay;

-- Reports contain neither comments nor users.
CREATE VIEW reporting.feedback_v1 AS
  SELECT application_id, org_id, id, trace_id, thumb, score, source, created_at
  FROM traces.feedback;
GRANT SELECT ON reporting.feedback_v1 TO ems_reporting;
