import { sharedRelayRole } from "@ems/kit/db/schema";
import type { MigrationInterface, QueryRunner } from "typeorm";

const runtimeRole = "ems_notifications";

const walledIn = (table: string) => `
  ALTER TABLE notifications.${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE notifications.${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON notifications.${table}
    USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);`;

/** Feedback, and mails that are to be sent. */
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
      -- The mailer takes due jobs of all applications in the order of their time, and what is old goes the same way.
      CREATE INDEX mail_job_due ON notifications.mail_job (next_attempt_at) WHERE status = 'PENDING';
      CREATE INDEX mail_job_finished ON notifications.mail_job (finished_at) WHERE finished_at IS NOT NULL;
    `);
    await runner.query(walledIn("feedback"));
    await runner.query(walledIn("mail_job"));
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
