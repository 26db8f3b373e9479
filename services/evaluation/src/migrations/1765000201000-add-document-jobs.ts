import type { MigrationInterface, QueryRunner } from "typeorm";

const kinds = (more: string) => `
  ALTER TABLE evaluation.job DROP CONSTRAINT job_kind_check,
    ADD CONSTRAINT job_kind_check CHECK (kind IN ('JUDGE', 'PROMPT'${more}));`;

/** Document tests and their questions are jobs, too. */
export class AddDocumentJobs1765000201000 implements MigrationInterface {
  readonly name = "AddDocumentJobs1765000201000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(kinds(", 'DOCUMENTS', 'QUESTION'"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM evaluation.job WHERE kind IN ('DOCUMENTS', 'QUESTION'); ${kinds("")}`);
  }
}
