-- Sign-ins: identities of users at an OpenID Connect provider.
CREATE TABLE identity.sign_in (
  org_id text NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT sign_in_pkey PRIMARY KEY (org_id, issuer, subject),
  CONSTRAINT sign_in_user_key UNIQUE (org_id, user_id),
  CONSTRAINT sign_in_user_fkey FOREIGN KEY (org_id, user_id) REFERENCES identity.app_user (org_id, id)
);
CREATE INDEX sign_in_subject ON identity.sign_in (subject, issuer);
ALTER TABLE identity.sign_in ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON identity.sign_in USING (org_id = nullif(current_setting('ems.org_id', true), ''));
-- A person signs in before their tenant is known: they can read only their own rows.
CREATE POLICY own ON identity.sign_in FOR SELECT
  USING (issuer || ' ' || subject = nullif(current_setting('ems.person', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON identity.sign_in TO ems_identity;
