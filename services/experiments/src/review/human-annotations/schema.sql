-- Human annotations of traces. Traces, and queues with their items, may be deleted: no foreign keys refer to them.
CREATE TABLE experiments.human_annotation (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  trace_id uuid NOT NULL,
  test_id uuid,
  task_id uuid,
  topic_id uuid,
  verdict boolean NOT NULL,
  source text NOT NULL,
  critique text,
  annotator_id text NOT NULL,
  queue_item_id uuid,
  issue_id uuid,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  CONSTRAINT human_annotation_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT human_annotation_person_key UNIQUE (application_id, trace_id, annotator_id),
  CONSTRAINT human_annotation_source_check CHECK (source IN ('REVIEW_QUEUE', 'TRACE_PAGE', 'TEST_PAGE')),
  CONSTRAINT human_annotation_issue_fkey FOREIGN KEY (application_id, issue_id)
    REFERENCES experiments.issue (application_id, id)
);
CREATE INDEX human_annotation_created ON experiments.human_annotation (application_id, created_at, id);
CREATE INDEX human_annotation_item ON experiments.human_annotation (application_id, queue_item_id);
CREATE INDEX human_annotation_test ON experiments.human_annotation (application_id, test_id);
ALTER TABLE experiments.human_annotation ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.human_annotation
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON experiments.human_annotation TO ems_experiments;

CREATE VIEW reporting.human_annotation_v1 AS
  SELECT application_id, org_id, id, trace_id, test_id, task_id, topic_id, annotator_id, source, verdict,
    created_at, modified_at
  FROM experiments.human_annotation;
GRANT SELECT ON reporting.human_annotation_v1 TO ems_reporting;
