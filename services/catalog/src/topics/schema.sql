-- Topics.
CREATE TABLE catalog.topic (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  title text NOT NULL,
  baseline double precision,
  status text NOT NULL,
  is_in_scope boolean NOT NULL DEFAULT true,
  is_tasks_verified boolean NOT NULL DEFAULT false,
  is_documents_verified boolean NOT NULL DEFAULT false,
  is_knowledge_base_verified boolean NOT NULL DEFAULT false,
  is_policies_verified boolean NOT NULL DEFAULT false,
  assigned_to text,
  quickstart_id uuid,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  CONSTRAINT topic_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT topic_status_check CHECK (status IN ('DRAFT', 'ACTIVE', 'ARCHIVED')),
  CONSTRAINT topic_quickstart_fkey FOREIGN KEY (application_id, quickstart_id)
    REFERENCES catalog.quickstart (application_id, id)
);
CREATE INDEX topic_created ON catalog.topic (application_id, created_at, id);
ALTER TABLE catalog.topic ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON catalog.topic
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON catalog.topic TO ems_catalog;
