import type { MigrationInterface, QueryRunner } from "typeorm";

/** By age: the oldest is a metric, and what nobody takes is removed. The table holds what is not acknowledged, which is little. */
export class IndexPromptOutcomes1763842000000 implements MigrationInterface {
  readonly name = "IndexPromptOutcomes1763842000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("CREATE INDEX prompt_outcome_created ON notifications.prompt_outcome (created_at)");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP INDEX notifications.prompt_outcome_created");
  }
}
