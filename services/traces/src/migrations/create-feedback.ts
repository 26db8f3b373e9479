import { readFileSync } from "node:fs";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Feedback of end users on traces. */
export class CreateFeedback1765400320000 implements MigrationInterface {
  readonly name = "CreateFeedback1765400320000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL("create-feedback.sql", import.meta.url), "utf8"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP VIEW reporting.feedback_v1; DROP TABLE traces.feedback");
  }
}
