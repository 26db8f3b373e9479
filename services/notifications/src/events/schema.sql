-- The inbox: events that were received.
CREATE TABLE notifications.inbox (
  application_id uuid NOT NULL,
  event_id uuid NOT NULL,
  received_at timestamptz(3) NOT NULL,
  CONSTRAINT inbox_pkey PRIMARY KEY (application_id, event_id)
);
-- For pruning.
CREATE INDEX inbox_received ON notifications.inbox (received_at);
ALTER TABLE notifications.inbox ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON notifications.inbox
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
-- The consumer has rights to every application's rows.
CREATE POLICY relay ON notifications.inbox TO ems_notifications_relay USING (true);
GRANT SELECT, INSERT, DELETE ON notifications.inbox TO ems_notifications_relay;
