import type { MigrationInterface, QueryRunner } from "typeorm";

/** Calls that the application's budgets have room for, told from those that still ask. */
export class ReserveCalls1763834100000 implements MigrationInterface {
  readonly name = "ReserveCalls1763834100000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE evaluation.model_call ADD COLUMN is_reserved boolean NOT NULL DEFAULT false");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE evaluation.model_call DROP COLUMN is_reserved");
  }
}
