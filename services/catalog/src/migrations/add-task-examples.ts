import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Adds expectations and metadata to the prompts of tasks. `prompts` stays, and NULL means that none of them has more,
 * so no row is rewritten and the previous release can still change prompts.
 */
export class AddTaskExamples1765400000000 implements MigrationInterface {
  readonly name = "AddTaskExamples1765400000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE catalog.task ADD COLUMN examples jsonb");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE catalog.task DROP COLUMN examples");
  }
}
