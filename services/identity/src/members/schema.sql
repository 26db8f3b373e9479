-- Members of applications: people who sign in.
CREATE TABLE identity.member (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  user_id text NOT NULL,
  role text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  CONSTRAINT member_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT member_user_key UNIQUE (application_id, user_id),
  CONSTRAINT member_role_check CHECK (role IN ('OWNER', 'EDITOR', 'REVIEWER', 'VIEWER')),
  CONSTRAINT member_application_fkey FOREIGN KEY (org_id, application_id) REFERENCES identity.application (org_id, id),
  CONSTRAINT member_user_fkey FOREIGN KEY (org_id, user_id) REFERENCES identity.app_user (org_id, id)
);
CREATE INDEX member_user ON identity.member (org_id, user_id);
ALTER TABLE identity.member ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON identity.member
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
-- A person signs in before their tenant is known: they can read only their own rows.
CREATE POLICY own ON identity.member FOR SELECT
  USING (org_id = nullif(current_setting('ems.org_id', true), '')
    AND user_id = nullif(current_setting('ems.person_user', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON identity.member TO ems_identity;
