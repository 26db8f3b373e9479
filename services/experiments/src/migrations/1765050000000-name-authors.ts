import type { MigrationInterface, QueryRunner } from "typeorm";

/** Who wrote a note on the history; of those from before nobody is known but to the audit log. */
export class NameAuthors1765050000000 implements MigrationInterface {
  readonly name = "NameAuthors1765050000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE experiments.annotation ADD COLUMN author_id text");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE experiments.annotation DROP COLUMN author_id");
  }
}
