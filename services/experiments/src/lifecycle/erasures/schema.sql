-- Erasures of end users, and their pending work.
CREATE TABLE experiments.erasure (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  -- A hash: the user is stored nowhere.
  end_user_key uuid NOT NULL,
  status text NOT NULL,
  erased json NOT NULL DEFAULT '{}',
  due_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  completed_at timestamptz(3),
  CONSTRAINT erasure_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT erasure_status_check CHECK (status IN ('RUNNING', 'COMPLETED')),
  CONSTRAINT erasure_due_check CHECK ((status = 'RUNNING') = (due_at IS NOT NULL))
);
CREATE INDEX erasure_created ON experiments.erasure (application_id, created_at, id);
CREATE UNIQUE INDEX erasure_running ON experiments.erasure (application_id, end_user_key) WHERE status = 'RUNNING';
CREATE INDEX erasure_due ON experiments.erasure (due_at) WHERE due_at IS NOT NULL;
ALTER TABLE experiments.erasure ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.erasure
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON experiments.erasure TO ems_experiments_relay USING (true);
GRANT SELECT, INSERT, UPDATE ON experiments.erasure TO ems_experiments;
GRANT SELECT ON experiments.erasure TO ems_experiments_relay;
GRANT UPDATE (due_at) ON experiments.erasure TO ems_experiments_relay;

-- Traces of tests of erased tasks, by other users or without a user.
CREATE TABLE experiments.erasure_trace (
  application_id uuid NOT NULL,
  erasure_id uuid NOT NULL,
  trace_id uuid NOT NULL,
  CONSTRAINT erasure_trace_pkey PRIMARY KEY (application_id, erasure_id, trace_id)
);
ALTER TABLE experiments.erasure_trace ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.erasure_trace
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, DELETE ON experiments.erasure_trace TO ems_experiments;

-- Ids of rows that are erased here, but not yet where copies exist.
CREATE TABLE experiments.erasure_work (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  erasure_id uuid NOT NULL,
  service text NOT NULL,
  trace_ids uuid[] NOT NULL,
  test_ids uuid[] NOT NULL,
  subject_ids uuid[] NOT NULL,
  due_at timestamptz(3) NOT NULL,
  CONSTRAINT erasure_work_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT erasure_work_service_check CHECK (service IN ('CATALOG', 'EVALUATION', 'NOTIFICATIONS'))
);
CREATE INDEX erasure_work_due ON experiments.erasure_work (service, due_at);
CREATE INDEX erasure_work_erasure ON experiments.erasure_work (application_id, erasure_id);
ALTER TABLE experiments.erasure_work ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.erasure_work
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON experiments.erasure_work TO ems_experiments_relay USING (true);
GRANT SELECT, INSERT, DELETE ON experiments.erasure_work TO ems_experiments;
GRANT SELECT ON experiments.erasure_work TO ems_experiments_relay;
GRANT UPDATE (due_at) ON experiments.erasure_work TO ems_experiments_relay;
