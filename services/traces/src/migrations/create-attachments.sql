-- Binary content of traces, once by application and hash, and its use by traces.
CREATE TABLE traces.attachment (
  application_id uuid NOT NULL,
  hash text NOT NULL,
  org_id text NOT NULL,
  media_type text NOT NULL,
  size integer NOT NULL,
  content bytea NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT attachment_pkey PRIMARY KEY (application_id, hash)
);
CREATE INDEX attachment_created ON traces.attachment (application_id, created_at, hash);
CREATE TABLE traces.trace_attachment (
  application_id uuid NOT NULL,
  trace_id uuid NOT NULL,
  hash text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT trace_attachment_pkey PRIMARY KEY (application_id, trace_id, hash)
);
CREATE INDEX trace_attachment_hash ON traces.trace_attachment (application_id, hash);
CREATE INDEX trace_attachment_created ON traces.trace_attachment (application_id, created_at);
ALTER TABLE traces.attachment ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE traces.trace_attachment ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON traces.attachment
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY tenant ON traces.trace_attachment
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON traces.attachment TO ems_traces_relay USING (true);
CREATE POLICY relay ON traces.trace_attachment TO ems_traces_relay USING (true);
GRANT SELECT, INSERT, DELETE, UPDATE (created_at) ON traces.attachment TO ems_traces;
GRANT SELECT, INSERT, DELETE ON traces.trace_attachment TO ems_traces;
GRANT SELECT (application_id, hash, created_at), DELETE ON traces.attachment TO ems_traces_relay;
GRANT SELECT (application_id, hash, created_at), DELETE ON traces.trace_attachment TO ems_traces_relay;
