import type { MigrationInterface, QueryRunner } from "typeorm";

/** Spend of calls that were sent and not answered, apart from what is certain. */
export class CountUncertainSpend1765080100000 implements MigrationInterface {
  readonly name = "CountUncertainSpend1765080100000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE evaluation.spending
        ADD COLUMN uncertain_cost_micro bigint NOT NULL DEFAULT 0,
        ADD COLUMN uncertain_tokens bigint NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE evaluation.spending DROP COLUMN uncertain_cost_micro, DROP COLUMN uncertain_tokens",
    );
  }
}
