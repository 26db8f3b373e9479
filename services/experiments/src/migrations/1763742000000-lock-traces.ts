import type { MigrationInterface, QueryRunner } from "typeorm";

/** PostgreSQL lets only who may update a column lock a row: steps are added under their trace's lock. */
export class LockTraces1763742000000 implements MigrationInterface {
  readonly name = "LockTraces1763742000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("GRANT UPDATE (size) ON experiments.trace TO ems_experiments");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("REVOKE UPDATE (size) ON experiments.trace FROM ems_experiments");
  }
}
