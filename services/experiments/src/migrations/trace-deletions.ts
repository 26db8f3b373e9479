import { readFileSync } from "node:fs";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Erasures also delete traces by id. */
export class TraceDeletions1765401100000 implements MigrationInterface {
  readonly name = "TraceDeletions1765401100000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL("trace-deletions.sql", import.meta.url), "utf8"));
  }

  async down(): Promise<void> {
    throw new Error("deletions of traces name no end user: restore a backup");
  }
}
