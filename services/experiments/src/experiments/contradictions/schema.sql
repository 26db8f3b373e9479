-- Contradictions between documents.
CREATE TABLE experiments.contradiction (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  quickstart_id uuid NOT NULL,
  document_test_id uuid NOT NULL,
  document_a_id uuid NOT NULL,
  document_b_id uuid NOT NULL,
  reason text NOT NULL,
  passage_a text NOT NULL,
  passage_b text NOT NULL,
  resolved boolean NOT NULL DEFAULT false,
  assigned_to text,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  CONSTRAINT contradiction_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT contradiction_quickstart_fkey FOREIGN KEY (application_id, quickstart_id)
    REFERENCES experiments.quickstart (application_id, id)
);
CREATE INDEX contradiction_created ON experiments.contradiction (application_id, quickstart_id, created_at, id);
-- Lookup of contradictions by their documents.
CREATE INDEX contradiction_documents ON experiments.contradiction (application_id, document_a_id, document_b_id);
ALTER TABLE experiments.contradiction ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON experiments.contradiction
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON experiments.contradiction TO ems_experiments;
