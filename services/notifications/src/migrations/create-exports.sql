-- Scheduled exports: the settings of an application, and the state of the export of each of its datasets.
CREATE TABLE notifications.export_setting (
  application_id uuid NOT NULL,
  org_id text NOT NULL,
  endpoint text NOT NULL,
  region text NOT NULL,
  bucket text NOT NULL,
  prefix text,
  path_style boolean NOT NULL,
  access_key_id text NOT NULL,
  secret text NOT NULL,
  datasets text[] NOT NULL,
  format text NOT NULL,
  period text NOT NULL,
  enabled boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  CONSTRAINT export_setting_pkey PRIMARY KEY (application_id),
  CONSTRAINT export_setting_format_check CHECK (format IN ('JSONL_GZIP')),
  CONSTRAINT export_setting_period_check CHECK (period IN ('HOURLY', 'DAILY'))
);
ALTER TABLE notifications.export_setting ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON notifications.export_setting
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON notifications.export_setting TO ems_notifications_relay USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON notifications.export_setting TO ems_notifications;
GRANT SELECT ON notifications.export_setting TO ems_notifications_relay;

CREATE TABLE notifications.export_job (
  application_id uuid NOT NULL,
  dataset text NOT NULL,
  org_id text NOT NULL,
  period_start timestamptz(3) NOT NULL,
  period_end timestamptz(3) NOT NULL,
  part integer NOT NULL DEFAULT 1,
  page_cursor text,
  row_count bigint NOT NULL DEFAULT 0,
  byte_count bigint NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  leased_until timestamptz(3),
  attempts integer NOT NULL DEFAULT 0,
  last_run_at timestamptz(3),
  exported_start timestamptz(3),
  exported_objects integer NOT NULL DEFAULT 0,
  exported_rows bigint NOT NULL DEFAULT 0,
  exported_bytes bigint NOT NULL DEFAULT 0,
  error_cause text,
  error_message text,
  CONSTRAINT export_job_pkey PRIMARY KEY (application_id, dataset),
  CONSTRAINT export_job_dataset_check CHECK (dataset IN ('TRACES', 'TESTS'))
);
CREATE INDEX export_job_due ON notifications.export_job (application_id, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;
ALTER TABLE notifications.export_job ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON notifications.export_job
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON notifications.export_job TO ems_notifications_relay USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON notifications.export_job TO ems_notifications;
GRANT SELECT ON notifications.export_job TO ems_notifications_relay;
GRANT UPDATE (attempts, byte_count, error_cause, error_message, exported_bytes, exported_objects, exported_rows,
  exported_start, last_run_at, leased_until, next_attempt_at, page_cursor, part, period_end, period_start, row_count)
  ON notifications.export_job TO ems_notifications_relay;
