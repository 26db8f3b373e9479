import type { MigrationInterface, QueryRunner } from "typeorm";

/** Part of the certain spend that is estimated from texts, since providers reported no usable usage. */
export class CountEstimatedSpend1765090100000 implements MigrationInterface {
  readonly name = "CountEstimatedSpend1765090100000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE evaluation.spending
        ADD COLUMN estimated_cost_micro bigint NOT NULL DEFAULT 0,
        ADD COLUMN estimated_tokens bigint NOT NULL DEFAULT 0;
      ALTER TABLE evaluation.model_call ADD COLUMN estimated_tokens bigint NOT NULL DEFAULT 0;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE evaluation.model_call DROP COLUMN estimated_tokens;
      ALTER TABLE evaluation.spending DROP COLUMN estimated_cost_micro, DROP COLUMN estimated_tokens;`);
  }
}
