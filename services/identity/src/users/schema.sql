-- Users of organizations.
CREATE TABLE identity.app_user (
  org_id text NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  email text,
  image text,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  CONSTRAINT app_user_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT app_user_organisation_fkey FOREIGN KEY (org_id) REFERENCES identity.organisation (id)
);
CREATE INDEX app_user_created ON identity.app_user (org_id, created_at, id);
ALTER TABLE identity.app_user ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON identity.app_user USING (org_id = nullif(current_setting('ems.org_id', true), ''));
GRANT SELECT, INSERT, UPDATE ON identity.app_user TO ems_identity;
