import type { MigrationInterface, QueryRunner } from "typeorm";

/** Processes of 0.1.0, which run beside newer ones while they are replaced, open issues without the time. */
export class DefaultLastOccurrence1765020300000 implements MigrationInterface {
  readonly name = "DefaultLastOccurrence1765020300000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE experiments.issue ALTER COLUMN last_occurred_at SET DEFAULT now()");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE experiments.issue ALTER COLUMN last_occurred_at DROP DEFAULT");
  }
}
