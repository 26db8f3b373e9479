import { readFileSync } from "node:fs";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Adds sessions to traces, and publishes traces and steps to reports. */
export class PublishReports1765400510000 implements MigrationInterface {
  readonly name = "PublishReports1765400510000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL("publish-reports.sql", import.meta.url), "utf8"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW reporting.trace_v1, reporting.step_v1, reporting.trace_archive_batch_v1;
      DROP VIEW reporting.feedback_v1;
      CREATE VIEW reporting.feedback_v1 AS
        SELECT application_id, org_id, id, trace_id, thumb, score, source, created_at FROM traces.feedback;
      GRANT SELECT ON reporting.feedback_v1 TO ems_reporting;
      ALTER TABLE traces.trace DROP COLUMN session, DROP COLUMN session_id`);
  }
}
