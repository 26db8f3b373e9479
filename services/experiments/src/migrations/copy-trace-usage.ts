import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Copies a trace's usage to its test, so that a comparison reads one table. Older tests have it only in their traces.
 */
export class CopyTraceUsage1765200100000 implements MigrationInterface {
  readonly name = "CopyTraceUsage1765200100000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE experiments.test ADD COLUMN trace_cost double precision, ADD COLUMN trace_input_tokens bigint,
      ADD COLUMN trace_output_tokens bigint, ADD COLUMN trace_latency_ms double precision`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE experiments.test DROP COLUMN trace_cost, DROP COLUMN trace_input_tokens,
      DROP COLUMN trace_output_tokens, DROP COLUMN trace_latency_ms`);
  }
}
