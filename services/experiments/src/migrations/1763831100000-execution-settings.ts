import type { MigrationInterface, QueryRunner } from "typeorm";

/** Settings of an application's execution in one table, and what judging took in reports. */
export class ExecutionSettings1763831100000 implements MigrationInterface {
  readonly name = "ExecutionSettings1763831100000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE experiments.monitoring RENAME TO execution_setting;
      ALTER TABLE experiments.execution_setting RENAME CONSTRAINT monitoring_pkey TO execution_setting_pkey;
      ALTER TABLE experiments.execution_setting
        RENAME CONSTRAINT monitoring_sample_rate_check TO execution_setting_sample_rate_check;
      ALTER TABLE experiments.execution_setting ADD COLUMN test_timeout_ms integer;

      CREATE OR REPLACE VIEW reporting.evaluation_v1 AS
        SELECT application_id, org_id, id, test_id, run_id, task_id, topic_id, definition_id, definition_type, status,
          score_micro, passed, created_at, coalesce(modified_at, created_at) AS modified_at, input_tokens, output_tokens,
          cost_micro, duration_ms, judge_version, model
        FROM experiments.evaluation WHERE replaced_by IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW reporting.evaluation_v1;
      CREATE VIEW reporting.evaluation_v1 AS
        SELECT application_id, org_id, id, test_id, run_id, task_id, topic_id, definition_id, definition_type, status,
          score_micro, passed, created_at, coalesce(modified_at, created_at) AS modified_at
        FROM experiments.evaluation WHERE replaced_by IS NULL;
      GRANT SELECT ON reporting.evaluation_v1 TO ems_reporting;

      ALTER TABLE experiments.execution_setting DROP COLUMN test_timeout_ms;
      ALTER TABLE experiments.execution_setting RENAME CONSTRAINT execution_setting_pkey TO monitoring_pkey;
      ALTER TABLE experiments.execution_setting
        RENAME CONSTRAINT execution_setting_sample_rate_check TO monitoring_sample_rate_check;
      ALTER TABLE experiments.execution_setting RENAME TO monitoring;
    `);
  }
}
