-- Ids of quickstarts that other rows may name. The experiments service owns quickstarts.
CREATE TABLE catalog.quickstart (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  CONSTRAINT quickstart_pkey PRIMARY KEY (application_id, id)
);
ALTER TABLE catalog.quickstart ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON catalog.quickstart
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON catalog.quickstart TO ems_catalog;
