-- Organizations.
CREATE TABLE identity.organisation (
  id text NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  CONSTRAINT organisation_pkey PRIMARY KEY (id)
);
ALTER TABLE identity.organisation ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON identity.organisation USING (id = nullif(current_setting('ems.org_id', true), ''));
-- The bootstrap, as the owner, looks for existing organizations. The table has no tenant's data.
CREATE POLICY operator ON identity.organisation FOR SELECT TO ems_owner USING (true);
GRANT SELECT, INSERT, UPDATE ON identity.organisation TO ems_identity;

-- The oldest organization: owners configured by the operator belong to it. It runs as the owner role, to which the policy
-- `operator` exposes organizations.
CREATE FUNCTION identity.first_organisation() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
SELECT id FROM identity.organisation ORDER BY created_at, id LIMIT 1
$$;
REVOKE ALL ON FUNCTION identity.first_organisation FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.first_organisation TO ems_identity;
