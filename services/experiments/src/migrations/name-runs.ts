import { readFileSync } from "node:fs";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Gives each run a name that no other run of its application has, and room for version, commit and notes. */
export class NameRuns1765800000000 implements MigrationInterface {
  readonly name = "NameRuns1765800000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL("name-runs.sql", import.meta.url), "utf8"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER name_insert ON experiments.run;
      DROP TRIGGER audit_update ON experiments.run;
      DROP FUNCTION experiments.name_run;
      ALTER TABLE experiments.run DROP COLUMN name, DROP COLUMN version, DROP COLUMN commit, DROP COLUMN notes`);
  }
}
