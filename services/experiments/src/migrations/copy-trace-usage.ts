import type { MigrationInterface, QueryRunner } from "typeorm";

/** What traces used is a copy of their tests, so that a comparison reads one table. */
export class CopyTraceUsage1765200100000 implements MigrationInterface {
  readonly name = "CopyTraceUsage1765200100000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE experiments.test ADD COLUMN trace_cost double precision, ADD COLUMN trace_input_tokens bigint,
        ADD COLUMN trace_output_tokens bigint, ADD COLUMN trace_latency_ms double precision;

      ALTER TABLE experiments.test NO FORCE ROW LEVEL SECURITY;
      ALTER TABLE experiments.trace NO FORCE ROW LEVEL SECURITY;
      UPDATE experiments.test t SET trace_cost = r.total_cost, trace_input_tokens = r.total_prompt_tokens,
        trace_output_tokens = r.total_completion_tokens,
        trace_latency_ms = coalesce(extract(epoch FROM r.ended_at - r.started_at) * 1000, 0)
      FROM (SELECT DISTINCT ON (r.application_id, r.test_id) r.* FROM experiments.trace r
        JOIN experiments.test c ON c.application_id = r.application_id AND c.id = r.test_id
        WHERE c.trace_id IS NULL OR c.trace_id = r.id
        ORDER BY r.application_id, r.test_id, r.created_at DESC, r.id) r
      WHERE t.application_id = r.application_id AND t.id = r.test_id AND (t.trace_id IS NULL OR t.trace_id = r.id);
      ALTER TABLE experiments.test FORCE ROW LEVEL SECURITY;
      ALTER TABLE experiments.trace FORCE ROW LEVEL SECURITY;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE experiments.test DROP COLUMN trace_cost, DROP COLUMN trace_input_tokens,
      DROP COLUMN trace_output_tokens, DROP COLUMN trace_latency_ms`);
  }
}
