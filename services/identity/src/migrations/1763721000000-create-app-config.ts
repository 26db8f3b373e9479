import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Feature flags of applications; indexes for lists of applications and users. */
export class CreateAppConfig1763721000000 implements MigrationInterface {
  readonly name = "CreateAppConfig1763721000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE identity.app_config (
        org_id text NOT NULL,
        application_id uuid NOT NULL,
        crawler_enabled boolean NOT NULL DEFAULT false,
        ocr_enabled boolean NOT NULL DEFAULT false,
        ask_assistant_enabled boolean NOT NULL DEFAULT false,
        cra_evidence_pack_enabled boolean NOT NULL DEFAULT false,
        chatbot_playground_enabled boolean NOT NULL DEFAULT false,
        sota_model_enabled boolean NOT NULL DEFAULT false,
        CONSTRAINT app_config_pkey PRIMARY KEY (org_id, application_id),
        CONSTRAINT app_config_application_fkey FOREIGN KEY (org_id, application_id)
          REFERENCES identity.application (org_id, id)
      );

      -- By organisation: a key may read the flags of another application by its slug.
      ${tenantPolicy("identity.app_config", "org_id")}

      GRANT SELECT ON identity.app_config TO ems_identity;

      CREATE INDEX application_created ON identity.application (org_id, created_at, id);
      CREATE INDEX app_user_created ON identity.app_user (org_id, created_at, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX identity.application_created, identity.app_user_created;
      DROP TABLE identity.app_config
    `);
  }
}
