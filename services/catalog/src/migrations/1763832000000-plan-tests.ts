import type { MigrationInterface, QueryRunner } from "typeorm";

/** Versions of definitions, and the DEDUCED tasks that live traffic without a task belongs to. */
export class PlanTests1763832000000 implements MigrationInterface {
  readonly name = "PlanTests1763832000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE catalog.eval_definition ADD COLUMN version integer NOT NULL DEFAULT 1;
      ALTER TABLE catalog.task
        ADD COLUMN deduced_for uuid,
        ADD CONSTRAINT task_deduced_for_key UNIQUE (application_id, deduced_for);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE catalog.task DROP COLUMN deduced_for;
      ALTER TABLE catalog.eval_definition DROP COLUMN version;
    `);
  }
}
