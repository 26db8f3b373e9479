import { readFileSync } from "node:fs";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Sums of steps by day, for reports. */
export class CreateStepDays1765402210000 implements MigrationInterface {
  readonly name = "CreateStepDays1765402210000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL("create-step-days.sql", import.meta.url), "utf8"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW reporting.step_day_v1, reporting.step_day_duration_v1, reporting.step_day_start_v1;
      DROP TABLE traces.step_day, traces.step_day_duration, traces.step_change, traces.step_day_start`);
  }
}
