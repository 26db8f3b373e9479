-- Documents, their versions and tags.
CREATE TABLE catalog.document (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  topic_id uuid,
  assignee text,
  scrape_job_id text,
  active_version integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  type text NOT NULL DEFAULT 'KNOWLEDGE',
  status text NOT NULL DEFAULT 'ACTIVE',
  is_verified boolean NOT NULL DEFAULT false,
  optimized boolean NOT NULL DEFAULT false,
  file_processing_id uuid,
  quickstart_id uuid,
  CONSTRAINT document_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT document_type_check CHECK (type IN ('KNOWLEDGE', 'POLICY')),
  CONSTRAINT document_status_check CHECK (status IN ('DRAFT', 'ACTIVE')),
  CONSTRAINT document_topic_fkey FOREIGN KEY (application_id, topic_id) REFERENCES catalog.topic (application_id, id),
  CONSTRAINT document_quickstart_fkey FOREIGN KEY (application_id, quickstart_id)
    REFERENCES catalog.quickstart (application_id, id)
);
CREATE INDEX document_created ON catalog.document (application_id, created_at, id);
CREATE INDEX document_topic ON catalog.document (application_id, topic_id);
CREATE INDEX document_file ON catalog.document (application_id, file_processing_id);
ALTER TABLE catalog.document ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON catalog.document
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON catalog.document TO ems_catalog;

CREATE TABLE catalog.document_version (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  document_id uuid NOT NULL,
  version_number integer NOT NULL,
  title text NOT NULL,
  content text NOT NULL,
  status text NOT NULL,
  language text NOT NULL,
  metadata jsonb NOT NULL,
  original_sentences text[] NOT NULL,
  size_bytes integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  chunk_count integer NOT NULL,
  CONSTRAINT document_version_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT document_version_number_key UNIQUE (application_id, document_id, version_number),
  CONSTRAINT document_version_number_check CHECK (version_number >= 1),
  CONSTRAINT document_version_status_check CHECK (status IN ('DRAFT', 'REVIEW', 'APPROVED', 'ARCHIVED', 'ACTIVE')),
  CONSTRAINT document_version_document_fkey FOREIGN KEY (application_id, document_id)
    REFERENCES catalog.document (application_id, id) ON DELETE CASCADE
);
ALTER TABLE catalog.document_version ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON catalog.document_version
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
-- Versions are deleted by the document's cascade only.
GRANT SELECT, INSERT, UPDATE ON catalog.document_version TO ems_catalog;

-- Guarantees exactly one active version. Deferred, because a document and its first version refer to each other.
ALTER TABLE catalog.document ADD CONSTRAINT document_active_version_fkey
  FOREIGN KEY (application_id, id, active_version)
  REFERENCES catalog.document_version (application_id, document_id, version_number)
  DEFERRABLE INITIALLY DEFERRED;

CREATE TABLE catalog.document_tag (
  application_id uuid NOT NULL,
  document_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  CONSTRAINT document_tag_pkey PRIMARY KEY (application_id, document_id, tag_id),
  CONSTRAINT document_tag_document_fkey FOREIGN KEY (application_id, document_id)
    REFERENCES catalog.document (application_id, id) ON DELETE CASCADE,
  CONSTRAINT document_tag_tag_fkey FOREIGN KEY (application_id, tag_id) REFERENCES catalog.tag (application_id, id)
);
CREATE INDEX document_tag_tag ON catalog.document_tag (application_id, tag_id);
ALTER TABLE catalog.document_tag ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON catalog.document_tag
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, DELETE ON catalog.document_tag TO ems_catalog;

-- Topics for reports, including archived ones; defined here because it counts tasks and documents.
CREATE VIEW reporting.topic_v1 AS
  SELECT application_id, org_id, id, title, status, baseline, is_in_scope, is_tasks_verified, is_documents_verified,
    is_knowledge_base_verified, is_policies_verified, assigned_to,
    (SELECT count(*)::integer FROM catalog.task k
     WHERE k.application_id = t.application_id AND k.topic_id = t.id AND k.status = 'ACTIVE') AS task_count,
    (SELECT count(*)::integer FROM catalog.document d
     WHERE d.application_id = t.application_id AND d.topic_id = t.id) AS document_count,
    created_at, modified_at
  FROM catalog.topic t;
GRANT SELECT ON reporting.topic_v1 TO ems_reporting;
