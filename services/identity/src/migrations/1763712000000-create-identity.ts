import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import { createOutboxV1 } from "@ems/kit/events/outbox";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Organisations, their users and applications, and the applications' API keys. */
export class CreateIdentity1763712000000 implements MigrationInterface {
  readonly name = "CreateIdentity1763712000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE identity.organisation (
        id text NOT NULL CONSTRAINT organisation_pkey PRIMARY KEY,
        name text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL
      );

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

      CREATE TABLE identity.application (
        org_id text NOT NULL,
        id uuid NOT NULL,
        title text NOT NULL,
        slug text NOT NULL,
        description text NOT NULL,
        context text NOT NULL,
        language text,
        type text NOT NULL,
        environment text NOT NULL,
        human_annotation_enabled boolean NOT NULL,
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT application_pkey PRIMARY KEY (org_id, id),
        CONSTRAINT application_slug_key UNIQUE (org_id, slug),
        CONSTRAINT application_organisation_fkey FOREIGN KEY (org_id) REFERENCES identity.organisation (id)
      );

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
        CONSTRAINT api_key_pkey PRIMARY KEY (application_id, id),
        -- Does not lead with the tenant: authentication looks a key up before its tenant is known.
        CONSTRAINT api_key_digest_key UNIQUE (digest),
        CONSTRAINT api_key_application_fkey FOREIGN KEY (org_id, application_id) REFERENCES identity.application (org_id, id),
        CONSTRAINT api_key_user_fkey FOREIGN KEY (org_id, user_id) REFERENCES identity.app_user (org_id, id)
      );

      ALTER TABLE identity.organisation ENABLE ROW LEVEL SECURITY;
      ALTER TABLE identity.organisation FORCE ROW LEVEL SECURITY;
      CREATE POLICY tenant ON identity.organisation
        USING (id = nullif(current_setting('ems.org_id', true), ''));
      -- The bootstrap, as the owner, looks for existing organisations. The table has no tenant's data.
      CREATE POLICY operator ON identity.organisation FOR SELECT TO ems_owner USING (true);

      ${tenantPolicy("identity.app_user", "org_id")}
      ${tenantPolicy("identity.application", "org_id")}
      ${tenantPolicy("identity.api_key")}
      -- Access by digest: authentication reads a key before its tenant is known.
      CREATE POLICY possession ON identity.api_key FOR SELECT
        USING (digest = decode(nullif(current_setting('ems.api_key_digest', true), ''), 'hex'));

      GRANT SELECT ON identity.migration TO ems_identity;
      GRANT SELECT, INSERT, UPDATE ON identity.organisation, identity.app_user, identity.application TO ems_identity;
      GRANT SELECT, INSERT, UPDATE, DELETE ON identity.api_key TO ems_identity;
    `);
    await runner.query(createOutboxV1("identity", "ems_identity"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE identity.outbox, identity.api_key, identity.application, identity.app_user, identity.organisation
    `);
  }
}
