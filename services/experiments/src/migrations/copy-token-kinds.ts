import type { MigrationInterface, QueryRunner } from "typeorm";

/** Copies cached, cache-written and reasoning tokens of traces and their unpriced steps to tests, also for reports. */
export class CopyTokenKinds1765400110000 implements MigrationInterface {
  readonly name = "CopyTokenKinds1765400110000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE experiments.test ADD COLUMN trace_cached_tokens bigint,
      ADD COLUMN trace_cache_write_tokens bigint, ADD COLUMN trace_reasoning_tokens bigint,
      ADD COLUMN trace_unpriced_steps integer`);
    await runner.query(`CREATE OR REPLACE VIEW reporting.test_v1 AS
      SELECT application_id, org_id, id, task_id, topic_id, run_id, run_type, status, score_micro, passed, duration_ms,
        created_at, coalesce(modified_at, created_at) AS modified_at, trace_cost, trace_input_tokens, trace_output_tokens,
        trace_cached_tokens, trace_cache_write_tokens, trace_reasoning_tokens, trace_unpriced_steps
      FROM experiments.test`);
  }

  async down(): Promise<void> {
    throw new Error("a view cannot lose columns: restore a backup");
  }
}
