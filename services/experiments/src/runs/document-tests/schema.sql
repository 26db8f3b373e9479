-- Tests of documents, and the questions that a model answers for them.
CREATE TABLE experiments.document_test (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  type text NOT NULL,
  status text NOT NULL,
  plan json,
  results json,
  mece_mean_overlap double precision,
  mece_mean_contradictions double precision,
  message text,
  waiting_for text,
  quickstart_id uuid,
  questions integer NOT NULL DEFAULT 0,
  questions_ended integer NOT NULL DEFAULT 0,
  due_at timestamptz(3),
  attempt integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  CONSTRAINT document_test_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT document_test_type_check CHECK (type IN ('KNOWLEDGE_COVERAGE', 'MECE', 'DOCS_TO_TASKS_MAPPING')),
  CONSTRAINT document_test_status_check CHECK (status IN ('PENDING', 'IN_PROGRESS', 'FAILED', 'COMPLETED')),
  CONSTRAINT document_test_quickstart_fkey FOREIGN KEY (application_id, quickstart_id)
    REFERENCES experiments.quickstart (application_id, id)
);
CREATE INDEX document_test_created ON experiments.document_test (application_id, created_at, id);
CREATE INDEX document_test_due ON experiments.document_test (due_at) WHERE due_at IS NOT NULL;
CREATE UNIQUE INDEX document_test_running ON experiments.document_test (application_id, type)
  WHERE status IN ('PENDING', 'IN_PROGRESS');
ALTER TABLE experiments.document_test ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.document_test
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
CREATE POLICY relay ON experiments.document_test TO ems_experiments_relay USING (true);
GRANT SELECT, INSERT, UPDATE ON experiments.document_test TO ems_experiments;
GRANT SELECT ON experiments.document_test TO ems_experiments_relay;
GRANT UPDATE (due_at, attempt) ON experiments.document_test TO ems_experiments_relay;

CREATE TABLE experiments.document_question (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  document_test_id uuid NOT NULL,
  position integer NOT NULL,
  subject json NOT NULL,
  candidates json NOT NULL,
  answer json,
  message text,
  ended_at timestamptz(3),
  CONSTRAINT document_question_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT document_question_test_fkey FOREIGN KEY (application_id, document_test_id)
    REFERENCES experiments.document_test (application_id, id)
);
CREATE INDEX document_question_test ON experiments.document_question (application_id, document_test_id, position);
ALTER TABLE experiments.document_question ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.document_question
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON experiments.document_question TO ems_experiments;
