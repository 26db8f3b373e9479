-- Baseline: the migration MoveTraces of services/traces takes these tables over. Their columns now are in services/traces/schema.txt.
-- Messages from log records for steps, which may arrive later.
CREATE TABLE experiments.log_message (
  application_id uuid NOT NULL,
  trace_id uuid NOT NULL,
  step_id uuid NOT NULL,
  id uuid NOT NULL,
  is_output boolean NOT NULL,
  recorded_at bigint NOT NULL,
  position integer NOT NULL,
  content json NOT NULL,
  finish_reason text,
  created_at timestamptz(3) NOT NULL,
  -- Number of received characters that PostgreSQL cannot store.
  replaced_characters integer NOT NULL DEFAULT 0,
  CONSTRAINT log_message_pkey PRIMARY KEY (application_id, trace_id, step_id, id)
);
ALTER TABLE experiments.log_message ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.log_message
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, DELETE ON experiments.log_message TO ems_experiments;
