-- Facts and their topics.
CREATE TABLE catalog.fact (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  statement text NOT NULL,
  scope text NOT NULL,
  status text NOT NULL,
  source_quote text,
  source_document_id uuid,
  quickstart_id uuid,
  generated_by text,
  is_verified boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  CONSTRAINT fact_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT fact_scope_check CHECK (scope IN ('TOPIC', 'APPLICATION')),
  CONSTRAINT fact_status_check CHECK (status IN ('DRAFT', 'ACTIVE')),
  CONSTRAINT fact_document_fkey FOREIGN KEY (application_id, source_document_id)
    REFERENCES catalog.document (application_id, id),
  CONSTRAINT fact_quickstart_fkey FOREIGN KEY (application_id, quickstart_id)
    REFERENCES catalog.quickstart (application_id, id)
);
CREATE INDEX fact_created ON catalog.fact (application_id, created_at, id);
CREATE INDEX fact_scope ON catalog.fact (application_id, scope, status, created_at, id);
CREATE INDEX fact_document ON catalog.fact (application_id, source_document_id);
CREATE INDEX fact_quickstart ON catalog.fact (application_id, quickstart_id);
ALTER TABLE catalog.fact ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON catalog.fact
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON catalog.fact TO ems_catalog;

CREATE TABLE catalog.fact_topic (
  application_id uuid NOT NULL,
  fact_id uuid NOT NULL,
  topic_id uuid NOT NULL,
  CONSTRAINT fact_topic_pkey PRIMARY KEY (application_id, fact_id, topic_id),
  CONSTRAINT fact_topic_fact_fkey FOREIGN KEY (application_id, fact_id) REFERENCES catalog.fact (application_id, id),
  CONSTRAINT fact_topic_topic_fkey FOREIGN KEY (application_id, topic_id) REFERENCES catalog.topic (application_id, id)
);
CREATE INDEX fact_topic_topic ON catalog.fact_topic (application_id, topic_id, fact_id);
ALTER TABLE catalog.fact_topic ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON catalog.fact_topic
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, DELETE ON catalog.fact_topic TO ems_catalog;
