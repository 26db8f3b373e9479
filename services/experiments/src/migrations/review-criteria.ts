import { readFileSync } from "node:fs";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Human annotations and queues name a definition; annotations have scores and passes. */
export class ReviewCriteria1765400310000 implements MigrationInterface {
  readonly name = "ReviewCriteria1765400310000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL("review-criteria.sql", import.meta.url), "utf8"));
  }

  async down(): Promise<void> {
    throw new Error("a person may have several annotations of a trace: restore a backup");
  }
}
