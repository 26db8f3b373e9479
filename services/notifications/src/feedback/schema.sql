-- Feedback of users, and its sending.
CREATE TABLE notifications.feedback (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  user_id text,
  text text NOT NULL,
  status text NOT NULL,
  error text,
  created_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3),
  -- Operators can have unsent feedback resent.
  asked_at timestamptz(3),
  CONSTRAINT feedback_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT feedback_sent_check CHECK ((status = 'SENT') = (sent_at IS NOT NULL)),
  CONSTRAINT feedback_status_check CHECK (status IN ('SENDING', 'SENT', 'FAILED', 'ASKED')),
  CONSTRAINT feedback_error_check CHECK ((status IN ('FAILED', 'ASKED')) = (error IS NOT NULL))
);
-- For the few unsent rows of all applications.
CREATE INDEX feedback_unsent ON notifications.feedback (created_at) WHERE status <> 'SENT';
-- For counting an application's recent feedback.
CREATE INDEX feedback_recent ON notifications.feedback (application_id, created_at);
ALTER TABLE notifications.feedback ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON notifications.feedback
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON notifications.feedback TO ems_notifications_relay USING (true);
GRANT SELECT, INSERT, UPDATE ON notifications.feedback TO ems_notifications;
GRANT SELECT ON notifications.feedback TO ems_notifications_relay;
GRANT UPDATE (status, error, asked_at) ON notifications.feedback TO ems_notifications_relay;
