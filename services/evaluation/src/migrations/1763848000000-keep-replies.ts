import { relayRole } from "@ems/kit/db/schema";
import type { MigrationInterface, QueryRunner } from "typeorm";

const relay = relayRole({ name: "evaluation" });

/** Replies that a job has paid for are kept until it ends. */
export class KeepReplies1763848000000 implements MigrationInterface {
  readonly name = "KeepReplies1763848000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE evaluation.job ADD COLUMN replies json;
      GRANT UPDATE (replies) ON evaluation.job TO ${relay};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE evaluation.job DROP COLUMN replies");
  }
}
