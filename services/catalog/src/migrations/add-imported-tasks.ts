import type { MigrationInterface, QueryRunner } from "typeorm";

/** Adds the identities of imported rows, so that a repeated import updates tasks instead of doubling them. */
export class AddImportedTasks1765500000000 implements MigrationInterface {
  readonly name = "AddImportedTasks1765500000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE catalog.imported_task (
        application_id uuid NOT NULL,
        source text NOT NULL,
        external_id text NOT NULL,
        task_id uuid NOT NULL,
        content_hash text NOT NULL,
        imported_at timestamptz(3) NOT NULL,
        CONSTRAINT imported_task_pkey PRIMARY KEY (application_id, source, external_id),
        CONSTRAINT imported_task_task_fkey FOREIGN KEY (application_id, task_id)
          REFERENCES catalog.task (application_id, id)
      );
      CREATE INDEX imported_task_task ON catalog.imported_task (application_id, task_id);
      ALTER TABLE catalog.imported_task ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
      CREATE POLICY tenant ON catalog.imported_task
        USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
      GRANT SELECT, INSERT, UPDATE ON catalog.imported_task TO ems_catalog`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE catalog.imported_task");
  }
}
