-- Invitations of people to become members of applications.
CREATE TABLE identity.invitation (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  invited_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT invitation_pkey PRIMARY KEY (application_id, id),
  CONSTRAINT invitation_email_key UNIQUE (application_id, email),
  CONSTRAINT invitation_role_check CHECK (role IN ('OWNER', 'EDITOR', 'REVIEWER', 'VIEWER')),
  CONSTRAINT invitation_application_fkey FOREIGN KEY (org_id, application_id)
    REFERENCES identity.application (org_id, id)
);
CREATE INDEX invitation_email ON identity.invitation (email);
ALTER TABLE identity.invitation ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON identity.invitation
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
-- A person signs in before their tenant is known: they can read only their own rows.
CREATE POLICY own ON identity.invitation FOR SELECT
  USING (email = nullif(current_setting('ems.person_email', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON identity.invitation TO ems_identity;
