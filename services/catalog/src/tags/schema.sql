-- Tags, and their links to tasks.
CREATE TABLE catalog.tag (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  name text NOT NULL,
  color text NOT NULL,
  description text,
  status text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  CONSTRAINT tag_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT tag_status_check CHECK (status IN ('ACTIVE', 'ARCHIVED'))
);
-- Archived tags do not reserve their names.
CREATE UNIQUE INDEX tag_active_name ON catalog.tag (application_id, name) WHERE status = 'ACTIVE';
CREATE INDEX tag_created ON catalog.tag (application_id, created_at, id);
ALTER TABLE catalog.tag ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON catalog.tag
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON catalog.tag TO ems_catalog;

CREATE TABLE catalog.task_tag (
  application_id uuid NOT NULL,
  task_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  CONSTRAINT task_tag_pkey PRIMARY KEY (application_id, task_id, tag_id),
  CONSTRAINT task_tag_task_fkey FOREIGN KEY (application_id, task_id) REFERENCES catalog.task (application_id, id),
  CONSTRAINT task_tag_tag_fkey FOREIGN KEY (application_id, tag_id) REFERENCES catalog.tag (application_id, id)
);
CREATE INDEX task_tag_tag ON catalog.task_tag (application_id, tag_id);
ALTER TABLE catalog.task_tag ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON catalog.task_tag
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, DELETE ON catalog.task_tag TO ems_catalog;

-- For reports; includes archived tags.
CREATE VIEW reporting.tag_v1 AS
  SELECT application_id, org_id, id, name, color, status, description,
    (SELECT count(*)::integer FROM catalog.task_tag x
     JOIN catalog.task k ON k.application_id = x.application_id AND k.id = x.task_id
     WHERE x.application_id = g.application_id AND x.tag_id = g.id AND k.status <> 'ARCHIVED') AS task_count,
    created_at, modified_at
  FROM catalog.tag g;
GRANT SELECT ON reporting.tag_v1 TO ems_reporting;

-- Experiments' list of tests.
CREATE VIEW experiments.task_tag_v1 AS
  SELECT application_id, task_id, tag_id
  FROM catalog.task_tag;
GRANT SELECT ON experiments.task_tag_v1 TO ems_experiments;
