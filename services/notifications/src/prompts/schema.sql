-- Outcomes of prompts, until experiments acknowledges them; the table is small.
CREATE TABLE notifications.prompt_outcome (
  application_id uuid NOT NULL,
  test_id uuid NOT NULL,
  org_id text NOT NULL,
  accepted_at timestamptz(3),
  duration_ms integer,
  answer text,
  failure text,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) NOT NULL,
  leased_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT prompt_outcome_pkey PRIMARY KEY (application_id, test_id),
  CONSTRAINT prompt_outcome_kind_check CHECK ((accepted_at IS NULL) = (failure IS NOT NULL))
);
CREATE INDEX prompt_outcome_due ON notifications.prompt_outcome (application_id, next_attempt_at);
-- By age: a metric reports the oldest, and unacknowledged outcomes are deleted after 30 days.
CREATE INDEX prompt_outcome_created ON notifications.prompt_outcome (created_at);
ALTER TABLE notifications.prompt_outcome ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON notifications.prompt_outcome
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON notifications.prompt_outcome TO ems_notifications_relay USING (true);
-- Erases outcomes, on behalf of their application.
GRANT SELECT, DELETE ON notifications.prompt_outcome TO ems_notifications;
GRANT SELECT, INSERT, DELETE ON notifications.prompt_outcome TO ems_notifications_relay;
GRANT UPDATE (attempts, next_attempt_at, leased_until) ON notifications.prompt_outcome TO ems_notifications_relay;
