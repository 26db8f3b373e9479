import type { MigrationInterface, QueryRunner } from "typeorm";

const columns = `application_id, org_id, id, test_id, run_id, task_id, topic_id, definition_id, definition_type, status,
  score_micro, passed, created_at, coalesce(modified_at, created_at) AS modified_at, input_tokens, output_tokens, cost_micro,
  duration_ms, judge_version, model, uncertain_cost_micro`;

/** Tokens of model calls that are estimated, since providers reported no usable usage. */
export class ReportEstimatedTokens1765090200000 implements MigrationInterface {
  readonly name = "ReportEstimatedTokens1765090200000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE experiments.evaluation ADD COLUMN estimated_tokens bigint;
      CREATE OR REPLACE VIEW reporting.evaluation_v1 AS
        SELECT ${columns}, estimated_tokens FROM experiments.evaluation WHERE replaced_by IS NULL;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW reporting.evaluation_v1;
      CREATE VIEW reporting.evaluation_v1 AS SELECT ${columns} FROM experiments.evaluation WHERE replaced_by IS NULL;
      GRANT SELECT ON reporting.evaluation_v1 TO ems_reporting;
      ALTER TABLE experiments.evaluation DROP COLUMN estimated_tokens;`);
  }
}
