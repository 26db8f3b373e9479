import { sharedRelayRole } from "@ems/kit/db/schema";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Operators can have unsent feedback resent. */
export class ResendFeedback1763733000000 implements MigrationInterface {
  readonly name = "ResendFeedback1763733000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE notifications.feedback
        ADD COLUMN asked_at timestamptz(3),
        DROP CONSTRAINT feedback_status_check,
        DROP CONSTRAINT feedback_error_check,
        ADD CONSTRAINT feedback_status_check CHECK (status IN ('SENDING', 'SENT', 'FAILED', 'ASKED')),
        ADD CONSTRAINT feedback_error_check CHECK ((status IN ('FAILED', 'ASKED')) = (error IS NOT NULL));
      -- The few unsent ones of all applications.
      CREATE INDEX feedback_unsent ON notifications.feedback (created_at) WHERE status <> 'SENT';
      CREATE POLICY relay ON notifications.feedback TO ${sharedRelayRole} USING (true);
      GRANT SELECT, UPDATE (status, error, asked_at) ON notifications.feedback TO ${sharedRelayRole};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Row-level security binds the owner too.
      ALTER TABLE notifications.feedback NO FORCE ROW LEVEL SECURITY;
      UPDATE notifications.feedback SET status = 'FAILED' WHERE status = 'ASKED';
      ALTER TABLE notifications.feedback FORCE ROW LEVEL SECURITY;
      REVOKE ALL ON notifications.feedback FROM ${sharedRelayRole};
      DROP POLICY relay ON notifications.feedback;
      DROP INDEX notifications.feedback_unsent;
      ALTER TABLE notifications.feedback
        DROP COLUMN asked_at,
        DROP CONSTRAINT feedback_status_check,
        DROP CONSTRAINT feedback_error_check,
        ADD CONSTRAINT feedback_status_check CHECK (status IN ('SENDING', 'SENT', 'FAILED')),
        ADD CONSTRAINT feedback_error_check CHECK ((status = 'FAILED') = (error IS NOT NULL));
    `);
  }
}
