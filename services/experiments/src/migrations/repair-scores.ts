import { readFileSync } from "node:fs";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Removes scores outside their scale from the sums of results in PostgreSQL. */
export class RepairScores1765350000000 implements MigrationInterface {
  readonly name = "RepairScores1765350000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL("repair-scores.sql", import.meta.url), "utf8"));
  }

  /** The rows still have the scores, which older versions read. */
  async down(): Promise<void> {}
}
