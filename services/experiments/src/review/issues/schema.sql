-- Issues that people work on; duplicates are merged, and a later passed test closes them.

-- Issues name rows that may be deleted, so that only the parent has a foreign key.
CREATE TABLE experiments.issue (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  title text NOT NULL,
  description text,
  source text NOT NULL,
  type text NOT NULL,
  priority text NOT NULL,
  status text NOT NULL,
  assigned_to text,
  annotation_id uuid,
  eval_definition_id uuid,
  experiment_id uuid,
  parent_id uuid,
  task_id uuid,
  test_id uuid,
  topic_id uuid,
  trace_id uuid,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  summary text,
  comment text,
  impact text,
  occurrences integer NOT NULL DEFAULT 1,
  last_occurred_at timestamptz(3) NOT NULL DEFAULT now(),
  resolved_by_test_id uuid,
  subject text,
  CONSTRAINT issue_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT issue_source_check
    CHECK (source IN ('TEST', 'TASK', 'TOPIC', 'SYSTEM', 'MONITORING', 'API', 'HUMAN_ANNOTATION')),
  CONSTRAINT issue_type_check CHECK (type IN ('BUG', 'HUMAN_ANNOTATION', 'SUGGESTED_TASK', 'USER_SIGNAL')),
  CONSTRAINT issue_priority_check CHECK (priority IN ('LOW', 'MEDIUM', 'HIGH')),
  CONSTRAINT issue_status_check CHECK (status IN ('OPEN', 'RESOLVED', 'REJECTED')),
  CONSTRAINT issue_parent_fkey FOREIGN KEY (application_id, parent_id) REFERENCES experiments.issue (application_id, id)
);
CREATE INDEX issue_created ON experiments.issue (application_id, created_at, id);
CREATE INDEX issue_status ON experiments.issue (application_id, status, created_at, id);
CREATE INDEX issue_assigned ON experiments.issue (application_id, assigned_to, created_at, id);
CREATE INDEX issue_parent ON experiments.issue (application_id, parent_id, created_at, id);
-- Merging looks up the open issue of a subject.
CREATE INDEX issue_subject ON experiments.issue (application_id, subject);
CREATE INDEX issue_task ON experiments.issue (application_id, task_id, status);
CREATE INDEX issue_topic ON experiments.issue (application_id, topic_id, status);
ALTER TABLE experiments.issue ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.issue
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON experiments.issue TO ems_experiments;
