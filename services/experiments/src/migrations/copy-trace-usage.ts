import type { MigrationInterface, QueryRunner } from "typeorm";

/** What a trace used is copied to its test, so that a comparison reads one table. Tests from before have it in their traces alone. */
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
