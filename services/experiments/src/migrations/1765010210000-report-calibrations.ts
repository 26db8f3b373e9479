import type { MigrationInterface, QueryRunner } from "typeorm";

/** Judges that reports of evaluations are not to rely on. */
export class ReportCalibrations1765010210000 implements MigrationInterface {
  readonly name = "ReportCalibrations1765010210000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE VIEW reporting.judge_calibration_v1 AS
        SELECT c.application_id, c.org_id, c.definition_id, c.kappa, c.kappa >= coalesce(s.kappa_floor, 0.4) AS reliable
        FROM experiments.judge_calibration c
        LEFT JOIN experiments.execution_setting s ON s.application_id = c.application_id
        WHERE c.calculated_at IS NOT NULL;
      GRANT SELECT ON reporting.judge_calibration_v1 TO ems_reporting;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP VIEW reporting.judge_calibration_v1");
  }
}
