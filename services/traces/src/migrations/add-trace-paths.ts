import type { MigrationInterface, QueryRunner } from "typeorm";

/** Adds the paths to texts and ids of traces, and the rules for noise. */
export class AddTracePaths1765402400000 implements MigrationInterface {
  readonly name = "AddTracePaths1765402400000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE traces.ingest_setting ADD COLUMN paths json, ADD COLUMN noise json");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE traces.ingest_setting DROP COLUMN paths, DROP COLUMN noise");
  }
}
