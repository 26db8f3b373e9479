import type { MigrationInterface, QueryRunner } from "typeorm";

/** Human annotations in reports. */
export class ReportHumanAnnotations1764000210000 implements MigrationInterface {
  readonly name = "ReportHumanAnnotations1764000210000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE VIEW reporting.human_annotation_v1 AS
        SELECT application_id, org_id, id, trace_id, test_id, task_id, topic_id, annotator_id, source, verdict,
          created_at, modified_at
        FROM experiments.human_annotation;
      GRANT SELECT ON reporting.human_annotation_v1 TO ems_reporting;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP VIEW reporting.human_annotation_v1");
  }
}
