import type { MigrationInterface, QueryRunner } from "typeorm";

/** Issues that people work on, that are merged when they are the same, and that a later pass closes. */
export class CompleteIssues1764000320000 implements MigrationInterface {
  readonly name = "CompleteIssues1764000320000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE experiments.issue
        ADD COLUMN summary text,
        ADD COLUMN comment text,
        ADD COLUMN impact text,
        ADD COLUMN occurrences integer NOT NULL DEFAULT 1,
        ADD COLUMN last_occurred_at timestamptz(3),
        ADD COLUMN resolved_by_test_id uuid,
        ADD COLUMN subject text;
      UPDATE experiments.issue SET last_occurred_at = created_at;
      ALTER TABLE experiments.issue ALTER COLUMN last_occurred_at SET NOT NULL;
      CREATE INDEX issue_subject ON experiments.issue (application_id, subject);
      CREATE INDEX issue_task ON experiments.issue (application_id, task_id, status);
      CREATE INDEX issue_topic ON experiments.issue (application_id, topic_id, status);
      GRANT UPDATE ON experiments.issue TO ems_experiments;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      REVOKE UPDATE ON experiments.issue FROM ems_experiments;
      ALTER TABLE experiments.issue DROP COLUMN subject, DROP COLUMN resolved_by_test_id, DROP COLUMN last_occurred_at,
        DROP COLUMN occurrences, DROP COLUMN impact, DROP COLUMN comment, DROP COLUMN summary;
    `);
  }
}
