import type { MigrationInterface, QueryRunner } from "typeorm";

/** Steps name the model call that their span records: new spans find those that they repeat by indices of calls. */
export class FindDuplicateSpans1765080000000 implements MigrationInterface {
  readonly name = "FindDuplicateSpans1765080000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE experiments.trace_step ADD COLUMN call_id uuid;
      CREATE INDEX trace_step_call ON experiments.trace_step (application_id, trace_id, call_id) WHERE call_id <> id;
      CREATE INDEX trace_step_call_parent ON experiments.trace_step (application_id, trace_id, parent_id)
        WHERE call_id IS NOT NULL AND parent_id IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE experiments.trace_step DROP COLUMN call_id");
  }
}
