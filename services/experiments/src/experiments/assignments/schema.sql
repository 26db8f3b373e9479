-- Assignments of topics to people, for the stages of quickstarts.
CREATE TABLE experiments.assignment (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  quickstart_id uuid NOT NULL,
  stage text NOT NULL,
  topic_id uuid NOT NULL,
  assigned_to text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  CONSTRAINT assignment_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT assignment_topic_key UNIQUE (application_id, quickstart_id, stage, topic_id),
  CONSTRAINT assignment_stage_check CHECK (stage IN ('KB_REVIEW', 'TASKS_TOPICS_REVIEW')),
  CONSTRAINT assignment_quickstart_fkey FOREIGN KEY (application_id, quickstart_id)
    REFERENCES experiments.quickstart (application_id, id)
);
CREATE INDEX assignment_created ON experiments.assignment (application_id, quickstart_id, created_at, id);
ALTER TABLE experiments.assignment ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.assignment
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON experiments.assignment TO ems_experiments;
