import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Indexes for the filters of traces: of metadata, a hash of each pair of key and value. */
export class FilterTraces1763806500000 implements MigrationInterface {
  readonly name = "FilterTraces1763806500000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX trace_error ON experiments.trace (application_id, has_error, created_at, id);
      CREATE INDEX trace_cost ON experiments.trace (application_id, total_cost, id);
      CREATE INDEX trace_duration ON experiments.trace (application_id, total_duration_ms, id);
      CREATE INDEX trace_evaluated ON experiments.trace (application_id, created_at, id)
        WHERE evals IS NOT NULL OR test_id IS NOT NULL;

      CREATE TABLE experiments.trace_metadata (
        application_id uuid NOT NULL,
        pair bigint NOT NULL,
        trace_id uuid NOT NULL,
        CONSTRAINT trace_metadata_pkey PRIMARY KEY (application_id, pair, trace_id)
      );
      -- Row-level security binds the owner too, who must know for once whose traces there are.
      ALTER TABLE experiments.trace NO FORCE ROW LEVEL SECURITY;
      INSERT INTO experiments.trace_metadata
      SELECT t.application_id, hashtextextended(p.key || chr(1) || p.value, 0), t.id
      FROM experiments.trace t CROSS JOIN LATERAL (
        SELECT key, value FROM json_each_text(CASE json_typeof(t.metadata) WHEN 'object' THEN t.metadata END)
        WHERE value IS NOT NULL LIMIT 64
      ) p ON CONFLICT DO NOTHING;
      ALTER TABLE experiments.trace FORCE ROW LEVEL SECURITY;
      ${tenantPolicy("experiments.trace_metadata")}
      GRANT SELECT, INSERT ON experiments.trace_metadata TO ems_experiments;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE experiments.trace_metadata;
      DROP INDEX experiments.trace_error, experiments.trace_cost, experiments.trace_duration, experiments.trace_evaluated;
    `);
  }
}
