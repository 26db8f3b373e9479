-- Deliveries to webhooks, of events and of prompts, and their attempts.
CREATE TABLE notifications.delivery (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  webhook_id uuid NOT NULL,
  type text NOT NULL,
  payload text NOT NULL,
  traceparent text,
  status text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  attempt_count integer NOT NULL DEFAULT 0,
  schedule_step integer NOT NULL DEFAULT 0,
  schedule_steps integer NOT NULL,
  next_attempt_at timestamptz(3),
  leased_until timestamptz(3),
  last_outcome text,
  last_status_code integer,
  kind text NOT NULL DEFAULT 'EVENT',
  CONSTRAINT delivery_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT delivery_status_check CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED')),
  CONSTRAINT delivery_due_check CHECK ((status = 'PENDING') = (next_attempt_at IS NOT NULL)),
  CONSTRAINT delivery_kind_check CHECK (kind IN ('EVENT', 'PROMPT'))
);
CREATE INDEX delivery_created ON notifications.delivery (application_id, created_at, id);
-- Workers claim application by application: a long queue is never scanned to find another's first row. An index for each
-- kind: neither worker scans the other's due rows.
CREATE INDEX delivery_due ON notifications.delivery (application_id, next_attempt_at)
  WHERE status = 'PENDING' AND kind = 'EVENT';
CREATE INDEX prompt_due ON notifications.delivery (application_id, next_attempt_at)
  WHERE status = 'PENDING' AND kind = 'PROMPT';
ALTER TABLE notifications.delivery ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON notifications.delivery
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
-- Consumer and worker have rights to every application's rows, but payloads are immutable to them.
CREATE POLICY relay ON notifications.delivery TO ems_notifications_relay USING (true);
GRANT SELECT, INSERT, UPDATE ON notifications.delivery TO ems_notifications;
GRANT SELECT, INSERT, DELETE ON notifications.delivery TO ems_notifications_relay;
GRANT UPDATE (status, attempt_count, schedule_step, next_attempt_at, leased_until, last_outcome, last_status_code)
  ON notifications.delivery TO ems_notifications_relay;

CREATE TABLE notifications.attempt (
  application_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  number integer NOT NULL,
  started_at timestamptz(3) NOT NULL,
  duration_ms integer NOT NULL,
  outcome text NOT NULL,
  status_code integer,
  response_body text,
  remote_address text,
  CONSTRAINT attempt_pkey PRIMARY KEY (application_id, delivery_id, number),
  CONSTRAINT attempt_delivery_fkey FOREIGN KEY (application_id, delivery_id)
    REFERENCES notifications.delivery (application_id, id) ON DELETE CASCADE
);
ALTER TABLE notifications.attempt ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON notifications.attempt
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON notifications.attempt TO ems_notifications_relay USING (true);
GRANT SELECT ON notifications.attempt TO ems_notifications;
GRANT SELECT, INSERT ON notifications.attempt TO ems_notifications_relay;
-- Erases answers, on behalf of their application.
GRANT UPDATE (response_body) ON notifications.attempt TO ems_notifications;
