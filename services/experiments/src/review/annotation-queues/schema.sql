-- Queues of traces for human review. Traces may be deleted, so that they have no foreign keys.
CREATE TABLE experiments.human_annotation_queue (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  topic_id uuid NOT NULL,
  assignee_id text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT human_annotation_queue_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT human_annotation_queue_key UNIQUE (application_id, topic_id, assignee_id)
);
CREATE INDEX human_annotation_queue_created ON experiments.human_annotation_queue (application_id, created_at, id);
ALTER TABLE experiments.human_annotation_queue ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.human_annotation_queue
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON experiments.human_annotation_queue TO ems_experiments;

CREATE TABLE experiments.human_annotation_queue_item (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  queue_id uuid NOT NULL,
  trace_id uuid NOT NULL,
  completed_at timestamptz(3),
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT human_annotation_queue_item_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT human_annotation_queue_item_key UNIQUE (application_id, queue_id, trace_id),
  CONSTRAINT human_annotation_queue_item_queue_fkey FOREIGN KEY (application_id, queue_id)
    REFERENCES experiments.human_annotation_queue (application_id, id)
);
CREATE INDEX human_annotation_queue_item_created
  ON experiments.human_annotation_queue_item (application_id, created_at, id);
CREATE INDEX human_annotation_queue_item_trace ON experiments.human_annotation_queue_item (application_id, trace_id);
ALTER TABLE experiments.human_annotation_queue_item ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.human_annotation_queue_item
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON experiments.human_annotation_queue_item TO ems_experiments;
