import type { MigrationInterface, QueryRunner } from "typeorm";

/** Mails are claimed application by application, so that one with many delays no other. */
export class LeaseMails1763842100000 implements MigrationInterface {
  readonly name = "LeaseMails1763842100000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX notifications.mail_job_due;
      CREATE INDEX mail_job_due ON notifications.mail_job (application_id, next_attempt_at)
        WHERE next_attempt_at IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX notifications.mail_job_due;
      CREATE INDEX mail_job_due ON notifications.mail_job (next_attempt_at) WHERE status = 'PENDING';
    `);
  }
}
