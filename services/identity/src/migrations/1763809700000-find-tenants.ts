import type { MigrationInterface, QueryRunner } from "typeorm";

/** Finds tenants by name. An application may read its own row before its organization is known. */
export class FindTenants1763809700000 implements MigrationInterface {
  readonly name = "FindTenants1763809700000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX application_id ON identity.application (id);
      CREATE POLICY own ON identity.application FOR SELECT
        USING (id = nullif(current_setting('ems.application_id', true), '')::uuid);

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
      REVOKE ALL ON FUNCTION identity.find_tenants(text[], uuid[], text[]) FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION identity.find_tenants(text[], uuid[], text[]) TO ems_identity;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION identity.find_tenants(text[], uuid[], text[]);
      DROP POLICY own ON identity.application;
      DROP INDEX identity.application_id;
    `);
  }
}
