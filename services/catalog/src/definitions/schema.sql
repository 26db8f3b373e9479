-- Evaluation definitions, and their links to applications, topics and tasks.
CREATE TABLE catalog.eval_definition (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  type text NOT NULL,
  name text NOT NULL,
  criterion text,
  style_guide_id uuid,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  status text NOT NULL DEFAULT 'ACTIVE',
  quickstart_id uuid,
  ground_truth text,
  comparison json,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT eval_definition_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT eval_definition_type_check
    CHECK (type IN ('NATURALNESS', 'STYLE', 'RECALL', 'FACT', 'CUSTOM', 'OUTPUT_MATCH')),
  CONSTRAINT eval_definition_style_check CHECK ((type = 'STYLE') = (style_guide_id IS NOT NULL)),
  CONSTRAINT eval_definition_status_check CHECK (status IN ('DRAFT', 'ACTIVE')),
  CONSTRAINT eval_definition_style_guide_fkey FOREIGN KEY (application_id, style_guide_id)
    REFERENCES catalog.style_guide (application_id, id),
  CONSTRAINT eval_definition_quickstart_fkey FOREIGN KEY (application_id, quickstart_id)
    REFERENCES catalog.quickstart (application_id, id)
);
CREATE INDEX eval_definition_created ON catalog.eval_definition (application_id, created_at, id);
CREATE INDEX eval_definition_style_guide ON catalog.eval_definition (application_id, style_guide_id);
CREATE INDEX eval_definition_quickstart ON catalog.eval_definition (application_id, quickstart_id);
ALTER TABLE catalog.eval_definition ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON catalog.eval_definition
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON catalog.eval_definition TO ems_catalog;

-- Links a definition to its own application.
CREATE TABLE catalog.eval_definition_application (
  application_id uuid NOT NULL,
  definition_id uuid NOT NULL,
  CONSTRAINT eval_definition_application_pkey PRIMARY KEY (application_id, definition_id),
  CONSTRAINT eval_definition_application_definition_fkey FOREIGN KEY (application_id, definition_id)
    REFERENCES catalog.eval_definition (application_id, id)
);
ALTER TABLE catalog.eval_definition_application ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON catalog.eval_definition_application
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON catalog.eval_definition_application TO ems_catalog;

CREATE TABLE catalog.eval_definition_topic (
  application_id uuid NOT NULL,
  definition_id uuid NOT NULL,
  topic_id uuid NOT NULL,
  expected text,
  expected_list text[],
  CONSTRAINT eval_definition_topic_pkey PRIMARY KEY (application_id, definition_id, topic_id),
  CONSTRAINT eval_definition_topic_definition_fkey FOREIGN KEY (application_id, definition_id)
    REFERENCES catalog.eval_definition (application_id, id),
  CONSTRAINT eval_definition_topic_topic_fkey FOREIGN KEY (application_id, topic_id)
    REFERENCES catalog.topic (application_id, id)
);
CREATE INDEX eval_definition_topic_topic ON catalog.eval_definition_topic (application_id, topic_id);
ALTER TABLE catalog.eval_definition_topic ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON catalog.eval_definition_topic
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON catalog.eval_definition_topic TO ems_catalog;

CREATE TABLE catalog.eval_definition_task (
  application_id uuid NOT NULL,
  definition_id uuid NOT NULL,
  task_id uuid NOT NULL,
  expected text,
  expected_list text[],
  CONSTRAINT eval_definition_task_pkey PRIMARY KEY (application_id, definition_id, task_id),
  CONSTRAINT eval_definition_task_definition_fkey FOREIGN KEY (application_id, definition_id)
    REFERENCES catalog.eval_definition (application_id, id),
  CONSTRAINT eval_definition_task_task_fkey FOREIGN KEY (application_id, task_id)
    REFERENCES catalog.task (application_id, id)
);
CREATE INDEX eval_definition_task_task ON catalog.eval_definition_task (application_id, task_id);
ALTER TABLE catalog.eval_definition_task ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON catalog.eval_definition_task
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON catalog.eval_definition_task TO ems_catalog;

-- For reports.
CREATE VIEW reporting.eval_definition_v1 AS
  SELECT application_id, org_id, id, name, type
  FROM catalog.eval_definition;
GRANT SELECT ON reporting.eval_definition_v1 TO ems_reporting;
