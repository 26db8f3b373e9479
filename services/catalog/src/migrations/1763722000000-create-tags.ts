import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Prompts of tasks; tags, and their links to tasks. */
export class CreateTags1763722000000 implements MigrationInterface {
  readonly name = "CreateTags1763722000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE catalog.task
        ADD COLUMN prompts text[] NOT NULL DEFAULT '{}',
        ADD CONSTRAINT task_prompts_check CHECK (type = 'STATIC' OR cardinality(prompts) = 0);
      CREATE INDEX task_created ON catalog.task (application_id, created_at, id);

      CREATE TABLE catalog.tag (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        name text NOT NULL,
        color text NOT NULL,
        description text NOT NULL,
        status text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT tag_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT tag_status_check CHECK (status IN ('ACTIVE', 'ARCHIVED'))
      );
      -- Archived tags do not reserve their names.
      CREATE UNIQUE INDEX tag_active_name ON catalog.tag (application_id, name) WHERE status = 'ACTIVE';
      CREATE INDEX tag_created ON catalog.tag (application_id, created_at, id);

      CREATE TABLE catalog.task_tag (
        application_id uuid NOT NULL,
        task_id uuid NOT NULL,
        tag_id uuid NOT NULL,
        CONSTRAINT task_tag_pkey PRIMARY KEY (application_id, task_id, tag_id),
        CONSTRAINT task_tag_task_fkey FOREIGN KEY (application_id, task_id) REFERENCES catalog.task (application_id, id),
        CONSTRAINT task_tag_tag_fkey FOREIGN KEY (application_id, tag_id) REFERENCES catalog.tag (application_id, id)
      );
      CREATE INDEX task_tag_tag ON catalog.task_tag (application_id, tag_id);

      ${tenantPolicy("catalog.tag")}
      ${tenantPolicy("catalog.task_tag")}

      GRANT SELECT, INSERT, UPDATE ON catalog.tag TO ems_catalog;
      GRANT SELECT, INSERT, DELETE ON catalog.task_tag TO ems_catalog;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE catalog.task_tag, catalog.tag;
      DROP INDEX catalog.task_created;
      ALTER TABLE catalog.task DROP COLUMN prompts;
    `);
  }
}
