-- Webhooks of applications.
CREATE TABLE notifications.webhook (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  url text NOT NULL,
  secret text NOT NULL,
  previous_secret text,
  previous_secret_until timestamptz(3),
  headers text,
  header_names text[] NOT NULL,
  disabled_at timestamptz(3),
  disabled_reason text,
  failing_since timestamptz(3),
  failure_streak integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  CONSTRAINT webhook_pkey PRIMARY KEY (application_id),
  CONSTRAINT webhook_disabled_check CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
);
ALTER TABLE notifications.webhook ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON notifications.webhook
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
-- The worker has rights to every application's rows, but secrets are immutable to it.
CREATE POLICY relay ON notifications.webhook TO ems_notifications_relay USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON notifications.webhook TO ems_notifications;
GRANT SELECT ON notifications.webhook TO ems_notifications_relay;
GRANT UPDATE (failing_since, failure_streak) ON notifications.webhook TO ems_notifications_relay;
