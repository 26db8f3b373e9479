import { readFileSync } from "node:fs";
import { auditTriggersSql } from "@ems/kit/db/audit-schema";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Scheduled exports to S3-compatible storage. */
export class CreateExports1765402400000 implements MigrationInterface {
  readonly name = "CreateExports1765402400000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL("create-exports.sql", import.meta.url), "utf8"));
    const audited = {
      table: "export_setting",
      resource: "export-settings",
      id: "application_id",
      secrets: ["secret"],
    };
    await runner.query(auditTriggersSql("notifications", audited));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE notifications.export_job, notifications.export_setting");
  }
}
