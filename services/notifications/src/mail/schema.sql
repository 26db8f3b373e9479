-- The queue of mails.
CREATE TABLE notifications.mail_job (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id text NOT NULL,
  org_id text NOT NULL,
  content jsonb NOT NULL,
  status text NOT NULL DEFAULT 'PENDING',
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  leased_until timestamptz(3),
  last_error text,
  created_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  CONSTRAINT mail_job_pkey PRIMARY KEY (application_id, id, user_id),
  CONSTRAINT mail_job_status_check CHECK (status IN ('PENDING', 'SENT', 'FAILED', 'SKIPPED')),
  CONSTRAINT mail_job_due_check CHECK ((status = 'PENDING') = (next_attempt_at IS NOT NULL)),
  CONSTRAINT mail_job_finished_check CHECK ((status = 'PENDING') = (finished_at IS NULL))
);
-- For pruning.
CREATE INDEX mail_job_finished ON notifications.mail_job (finished_at) WHERE finished_at IS NOT NULL;
-- Mails are claimed application by application, so that one with many mails does not delay others.
CREATE INDEX mail_job_due ON notifications.mail_job (application_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
ALTER TABLE notifications.mail_job ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON notifications.mail_job
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
-- The mailer has rights to every application's rows, but recipients and contents are immutable to it.
CREATE POLICY relay ON notifications.mail_job TO ems_notifications_relay USING (true);
GRANT INSERT ON notifications.mail_job TO ems_notifications;
GRANT SELECT, INSERT, DELETE ON notifications.mail_job TO ems_notifications_relay;
GRANT UPDATE (status, attempts, next_attempt_at, leased_until, last_error, finished_at)
  ON notifications.mail_job TO ems_notifications_relay;
