import { auditTableV1 } from "@ems/kit/db/shared-migrations";
import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** What is redacted of what applications send, by application. */
export class RedactAtIngest1765040000000 implements MigrationInterface {
  readonly name = "RedactAtIngest1765040000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE experiments.ingest_setting (
        application_id uuid NOT NULL,
        org_id text NOT NULL,
        redactions json NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT ingest_setting_pkey PRIMARY KEY (application_id)
      );
      ${tenantPolicy("experiments.ingest_setting")}
      GRANT SELECT, INSERT, UPDATE ON experiments.ingest_setting TO ems_experiments;
      ${auditTableV1("experiments", { table: "ingest_setting", resource: "ingest-settings", id: "application_id" })}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE experiments.ingest_setting;");
  }
}
