import { sharedRelayRole } from "@ems/kit/db/schema";
import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

const runtimeRole = "ems_notifications";

/** Feedback, and the queue of mails. */
export class CreateMail1763732000000 implements MigrationInterface {
  readonly name = "CreateMail1763732000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE notifications.feedback (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        user_id text,
        text text NOT NULL,
        status text NOT NULL,
        error text,
        created_at timestamptz(3) NOT NULL,
        sent_at timestamptz(3),
        CONSTRAINT feedback_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT feedback_status_check CHECK (status IN ('SENDING', 'SENT', 'FAILED')),
        CONSTRAINT feedback_sent_check CHECK ((status = 'SENT') = (sent_at IS NOT NULL)),
        CONSTRAINT feedback_error_check CHECK ((status = 'FAILED') = (error IS NOT NULL))
      );
      GRANT SELECT, INSERT, UPDATE ON notifications.feedback TO ${runtimeRole};

      CREATE TABLE notifications.mail_job (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id text NOT NULL,
        org_id text NOT NULL,
        content jsonb NOT NULL,
        status text NOT NULL DEFAULT 'PENDING',
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz(3),
        leased_until timestamptz(3),
        last_error text,
        created_at timestamptz(3) NOT NULL,
        finished_at timestamptz(3),
        CONSTRAINT mail_job_pkey PRIMARY KEY (application_id, id, user_id),
        CONSTRAINT mail_job_status_check CHECK (status IN ('PENDING', 'SENT', 'FAILED', 'SKIPPED')),
        CONSTRAINT mail_job_due_check CHECK ((status = 'PENDING') = (next_attempt_at IS NOT NULL)),
        CONSTRAINT mail_job_finished_check CHECK ((status = 'PENDING') = (finished_at IS NULL))
      );
      -- For claims of due jobs, and for pruning.
      CREATE INDEX mail_job_due ON notifications.mail_job (next_attempt_at) WHERE status = 'PENDING';
      CREATE INDEX mail_job_finished ON notifications.mail_job (finished_at) WHERE finished_at IS NOT NULL;
    `);
    await runner.query(tenantPolicy("notifications.feedback"));
    await runner.query(tenantPolicy("notifications.mail_job"));
    await runner.query(`
      CREATE POLICY relay ON notifications.mail_job TO ${sharedRelayRole} USING (true);
      GRANT SELECT, INSERT, UPDATE, DELETE ON notifications.mail_job TO ${sharedRelayRole};
      GRANT INSERT ON notifications.mail_job TO ${runtimeRole};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ["mail_job", "feedback"]) await runner.query(`DROP TABLE notifications.${table}`);
  }
}
