import { readFileSync } from "node:fs";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Indexes stored traces again, in the background: words of more scripts, and beginnings of words. */
export class ReindexWords1765401010000 implements MigrationInterface {
  readonly name = "ReindexWords1765401010000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL("reindex-words.sql", import.meta.url), "utf8"));
  }

  /** Earlier versions find their own words in the index, and ignore the others. */
  async down(): Promise<void> {}
}
