import { readFileSync } from "node:fs";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Separates tests without the verdict that was due from tests that did not pass, in rows, sums and views for reports. */
export class TestOutcomes1765400000000 implements MigrationInterface {
  readonly name = "TestOutcomes1765400000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL("test-outcomes.sql", import.meta.url), "utf8"));
  }

  async down(): Promise<void> {
    throw new Error("sums have changed: restore a backup");
  }
}
