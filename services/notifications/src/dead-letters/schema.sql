-- Dead letters: events that could not be handled, with the reason.
CREATE TABLE notifications.dead_event (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  subject text NOT NULL,
  headers jsonb NOT NULL,
  payload bytea NOT NULL,
  reason text NOT NULL,
  buried_at timestamptz(3) NOT NULL,
  CONSTRAINT dead_event_pkey PRIMARY KEY (application_id, id)
);
ALTER TABLE notifications.dead_event ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON notifications.dead_event
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
-- The consumer has rights to every application's rows.
CREATE POLICY relay ON notifications.dead_event TO ems_notifications_relay USING (true);
-- Erases events, on behalf of their application.
GRANT SELECT, DELETE ON notifications.dead_event TO ems_notifications;
GRANT SELECT, INSERT, DELETE ON notifications.dead_event TO ems_notifications_relay;
