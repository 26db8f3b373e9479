import { readFileSync } from "node:fs";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Sessions of traces. */
export class CreateSessions1765402200000 implements MigrationInterface {
  readonly name = "CreateSessions1765402200000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL("create-sessions.sql", import.meta.url), "utf8"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      "DROP VIEW reporting.session_v1; DROP FUNCTION traces.find_sessions(text); DROP TABLE traces.session",
    );
  }
}
