import { readFileSync } from "node:fs";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Adds the service, version and environment of traces. Traces that are stored already have none. */
export class AddOrigin1765400400000 implements MigrationInterface {
  readonly name = "AddOrigin1765400400000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL("add-origin.sql", import.meta.url), "utf8"));
  }

  async down(): Promise<void> {
    throw new Error("views name the columns: restore a backup");
  }
}
