import type { MigrationInterface, QueryRunner } from "typeorm";

/** Adds the definitions that judge a test to its view, so that reports can filter by them. */
export class PublishDefinitions1765600000000 implements MigrationInterface {
  readonly name = "PublishDefinitions1765600000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE VIEW reporting.test_v1 AS
      SELECT application_id, org_id, id, task_id, topic_id, run_id, run_type, status,
        CASE WHEN error_cause IS NULL THEN score_micro END AS score_micro,
        CASE WHEN error_cause IS NULL THEN passed END AS passed, duration_ms, created_at,
        coalesce(modified_at, created_at) AS modified_at,
        CASE WHEN status IN ('PENDING', 'IN_PROGRESS') THEN NULL WHEN error_cause IS NOT NULL THEN 'ERRORED'
          WHEN passed IS NULL THEN 'NONE' WHEN passed THEN 'PASSED' ELSE 'FAILED' END AS outcome, error_cause,
        CASE WHEN status IN ('COMPLETED', 'FAILED') THEN error_cause IS NOT NULL END AS errored, trace_cost,
        trace_input_tokens, trace_output_tokens, trace_cached_tokens, trace_cache_write_tokens, trace_reasoning_tokens,
        trace_unpriced_steps, definition_ids
      FROM experiments.test`);
  }

  async down(): Promise<void> {
    throw new Error("a view cannot lose a column: restore a backup");
  }
}
