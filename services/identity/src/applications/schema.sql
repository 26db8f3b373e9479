-- Applications, and a function that finds their tenants.
CREATE TABLE identity.application (
  org_id text NOT NULL,
  id uuid NOT NULL,
  title text NOT NULL,
  slug text NOT NULL,
  description text NOT NULL,
  context text NOT NULL,
  language text NOT NULL DEFAULT 'en',
  type text NOT NULL,
  environment text NOT NULL,
  human_annotation_enabled boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  modified_at timestamptz(3) NOT NULL,
  CONSTRAINT application_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT application_slug_key UNIQUE (org_id, slug),
  CONSTRAINT application_language_check CHECK (language IN ('da', 'de', 'en', 'es', 'fr', 'it', 'nl', 'pt', 'sv')),
  CONSTRAINT application_organisation_fkey FOREIGN KEY (org_id) REFERENCES identity.organisation (id)
);
CREATE INDEX application_created ON identity.application (org_id, created_at, id);
-- Does not lead with the tenant: find_tenants looks an application up before its organization is known.
CREATE INDEX application_id ON identity.application (id);
ALTER TABLE identity.application ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON identity.application USING (org_id = nullif(current_setting('ems.org_id', true), ''));
-- An application may read its own row before its organization is known.
CREATE POLICY own ON identity.application FOR SELECT
  USING (id = nullif(current_setting('ems.application_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON identity.application TO ems_identity;

-- Finds tenants by name.
CREATE FUNCTION identity.find_tenants(org_ids text[], application_ids uuid[], user_ids text[])
RETURNS TABLE (org_id text, has_user boolean)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  FOR i IN 1 .. cardinality(application_ids) LOOP
    PERFORM set_config('ems.application_id', application_ids[i]::text, true), set_config('ems.org_id', '', true);
    -- Were an id in two organizations, the organization would have to be named.
    SELECT CASE count(*) WHEN 1 THEN min(application.org_id) END INTO find_tenants.org_id
      FROM identity.application
      WHERE application.id = application_ids[i] AND application.org_id = coalesce(org_ids[i], application.org_id);
    PERFORM set_config('ems.org_id', coalesce(find_tenants.org_id, ''), true);
    find_tenants.has_user := EXISTS (
      SELECT FROM identity.app_user WHERE app_user.org_id = find_tenants.org_id AND app_user.id = user_ids[i]);
    RETURN NEXT;
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION identity.find_tenants FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.find_tenants TO ems_identity;
