import type { MigrationInterface, QueryRunner } from "typeorm";

/** What of results and traces is archived, for reports. */
export class ReportArchive1765060100000 implements MigrationInterface {
  readonly name = "ReportArchive1765060100000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE VIEW reporting.archive_batch_v1 AS
        SELECT application_id, kind, number, starts, ends, state FROM experiments.archive_extent;
      GRANT SELECT ON reporting.archive_batch_v1 TO ems_reporting;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP VIEW reporting.archive_batch_v1;");
  }
}
