import type { MigrationInterface, QueryRunner } from "typeorm";

/** The digits of an OpenTelemetry trace id, by which definitions are found too. */
export class TraceDigits1763806304000 implements MigrationInterface {
  readonly name = "TraceDigits1763806304000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE VIEW catalog.trace_definition_v1 AS
        SELECT t.application_id, t.id AS trace_id, e.definition_id, t.reference_id FROM experiments.trace t
        JOIN experiments.evaluation e ON e.application_id = t.application_id AND e.test_id = t.test_id;
    `);
  }

  /** The view may have more than is read. */
  async down(): Promise<void> {}
}
