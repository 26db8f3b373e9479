import type { MigrationInterface, QueryRunner } from "typeorm";

/** How much feedback an application gave of late is counted before it gives more. */
export class IndexFeedback1763770000000 implements MigrationInterface {
  readonly name = "IndexFeedback1763770000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("CREATE INDEX feedback_recent ON notifications.feedback (application_id, created_at)");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP INDEX notifications.feedback_recent");
  }
}
