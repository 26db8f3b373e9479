import type { MigrationInterface, QueryRunner } from "typeorm";

/** Number of characters that telemetry came with and PostgreSQL cannot store. */
export class CountReplacedCharacters1765090100000 implements MigrationInterface {
  readonly name = "CountReplacedCharacters1765090100000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE experiments.trace ADD COLUMN replaced_characters integer NOT NULL DEFAULT 0;
      GRANT UPDATE (replaced_characters) ON experiments.trace TO ems_experiments;
      ALTER TABLE experiments.log_message ADD COLUMN replaced_characters integer NOT NULL DEFAULT 0;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE experiments.log_message DROP COLUMN replaced_characters;
      ALTER TABLE experiments.trace DROP COLUMN replaced_characters;
    `);
  }
}
