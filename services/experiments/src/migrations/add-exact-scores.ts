import type { MigrationInterface, QueryRunner } from "typeorm";

const columns = `application_id, id, created_at, score_micro, test_id, run_id, task_id, topic_id, definition_id, passed,
  org_id, definition_type, status, message, results, waiting_for, expected, modified_at, definition_version,
  judge_version, model_connection_id, model, input_tokens, output_tokens, cost_micro, duration_ms, attempts, replaced_by,
  uncertain_cost_micro, estimated_tokens`;

/** Adds small scores that are not whole millionths. Stored scores were rounded when they arrived: no row is rewritten. */
export class AddExactScores1765400200000 implements MigrationInterface {
  readonly name = "AddExactScores1765400200000";

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ["test", "evaluation"])
      await runner.query(`ALTER TABLE experiments.${table} ADD COLUMN score_exact double precision`);
    await runner.query(
      `CREATE OR REPLACE VIEW traces.evaluation_v1 AS SELECT ${columns}, score_exact FROM experiments.evaluation`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP VIEW traces.evaluation_v1");
    await runner.query(`CREATE VIEW traces.evaluation_v1 AS SELECT ${columns} FROM experiments.evaluation`);
    await runner.query("GRANT SELECT ON traces.evaluation_v1 TO ems_traces");
    for (const table of ["test", "evaluation"])
      await runner.query(`ALTER TABLE experiments.${table} DROP COLUMN score_exact`);
  }
}
