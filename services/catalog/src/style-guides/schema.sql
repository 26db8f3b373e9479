-- Style guides.
CREATE TABLE catalog.style_guide (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  content jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  -- Set for style guides that are prepared in a quickstart.
  quickstart_id uuid,
  CONSTRAINT style_guide_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT style_guide_quickstart_fkey FOREIGN KEY (application_id, quickstart_id)
    REFERENCES catalog.quickstart (application_id, id)
);
CREATE INDEX style_guide_created ON catalog.style_guide (application_id, created_at, id);
ALTER TABLE catalog.style_guide ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON catalog.style_guide
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON catalog.style_guide TO ems_catalog;
