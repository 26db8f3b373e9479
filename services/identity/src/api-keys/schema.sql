-- API keys of applications.
CREATE TABLE identity.api_key (
  application_id uuid NOT NULL,
  id uuid NOT NULL,
  org_id text NOT NULL,
  user_id text NOT NULL,
  name text NOT NULL,
  digest bytea NOT NULL,
  display_prefix text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  -- A key without scopes may do everything.
  scopes text[] NOT NULL DEFAULT '{}',
  -- A key without an end does not expire.
  expires_at timestamptz(3),
  CONSTRAINT api_key_pkey PRIMARY KEY (application_id, id),
  -- Does not lead with the tenant: authentication looks a key up before its tenant is known.
  CONSTRAINT api_key_digest_key UNIQUE (digest),
  CONSTRAINT api_key_application_fkey FOREIGN KEY (org_id, application_id) REFERENCES identity.application (org_id, id),
  CONSTRAINT api_key_user_fkey FOREIGN KEY (org_id, user_id) REFERENCES identity.app_user (org_id, id)
);
ALTER TABLE identity.api_key ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON identity.api_key
  USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
-- Access by digest: authentication reads a key before its tenant is known. A transaction may name several digests,
-- joined by commas.
CREATE POLICY possession ON identity.api_key FOR SELECT
  USING (encode(digest, 'hex') = ANY (string_to_array(current_setting('ems.api_key_digest', true), ',')));
GRANT SELECT, INSERT, UPDATE, DELETE ON identity.api_key TO ems_identity;
