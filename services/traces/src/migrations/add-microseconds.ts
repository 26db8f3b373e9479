import type { MigrationInterface, QueryRunner } from "typeorm";

/** Adds times of traces in microseconds. Traces that are stored already keep milliseconds: no row is rewritten. */
export class AddMicroseconds1765400200000 implements MigrationInterface {
  readonly name = "AddMicroseconds1765400200000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE traces.trace ADD COLUMN started_us bigint, ADD COLUMN ended_us bigint, ADD COLUMN duration_us bigint",
    );
    await runner.query("GRANT UPDATE (started_us, ended_us, duration_us) ON traces.trace TO ems_traces");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE traces.trace DROP COLUMN started_us, DROP COLUMN ended_us, DROP COLUMN duration_us",
    );
  }
}
