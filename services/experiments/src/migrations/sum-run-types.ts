import { readFileSync } from "node:fs";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Sums tests by task and type of run. */
export class SumRunTypes1765700000000 implements MigrationInterface {
  readonly name = "SumRunTypes1765700000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL("sum-run-types.sql", import.meta.url), "utf8"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP VIEW reporting.task_run_type_v1");
    await runner.query("DROP TABLE experiments.task_run_type");
  }
}
