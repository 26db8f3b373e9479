import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Style guides, evaluation definitions and their links. */
export class CreateDefinitions1763724000000 implements MigrationInterface {
  readonly name = "CreateDefinitions1763724000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE catalog.style_guide (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        content jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT style_guide_pkey PRIMARY KEY (application_id, id)
      );
      CREATE INDEX style_guide_created ON catalog.style_guide (application_id, created_at, id);

      CREATE TABLE catalog.eval_definition (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        type text NOT NULL,
        name text NOT NULL,
        criterion text,
        style_guide_id uuid,
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT eval_definition_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT eval_definition_type_check
          CHECK (type IN ('NATURALNESS', 'STYLE', 'RECALL', 'FACT', 'CUSTOM', 'OUTPUT_MATCH')),
        CONSTRAINT eval_definition_style_check CHECK ((type = 'STYLE') = (style_guide_id IS NOT NULL)),
        CONSTRAINT eval_definition_style_guide_fkey FOREIGN KEY (application_id, style_guide_id)
          REFERENCES catalog.style_guide (application_id, id)
      );
      CREATE INDEX eval_definition_created ON catalog.eval_definition (application_id, created_at, id);
      CREATE INDEX eval_definition_style_guide ON catalog.eval_definition (application_id, style_guide_id);

      -- Links a definition to its own application.
      CREATE TABLE catalog.eval_definition_application (
        application_id uuid NOT NULL,
        definition_id uuid NOT NULL,
        CONSTRAINT eval_definition_application_pkey PRIMARY KEY (application_id, definition_id),
        CONSTRAINT eval_definition_application_definition_fkey FOREIGN KEY (application_id, definition_id)
          REFERENCES catalog.eval_definition (application_id, id)
      );

      CREATE TABLE catalog.eval_definition_topic (
        application_id uuid NOT NULL,
        definition_id uuid NOT NULL,
        topic_id uuid NOT NULL,
        expected text,
        CONSTRAINT eval_definition_topic_pkey PRIMARY KEY (application_id, definition_id, topic_id),
        CONSTRAINT eval_definition_topic_definition_fkey FOREIGN KEY (application_id, definition_id)
          REFERENCES catalog.eval_definition (application_id, id),
        CONSTRAINT eval_definition_topic_topic_fkey FOREIGN KEY (application_id, topic_id)
          REFERENCES catalog.topic (application_id, id)
      );
      CREATE INDEX eval_definition_topic_topic ON catalog.eval_definition_topic (application_id, topic_id);

      CREATE TABLE catalog.eval_definition_task (
        application_id uuid NOT NULL,
        definition_id uuid NOT NULL,
        task_id uuid NOT NULL,
        CONSTRAINT eval_definition_task_pkey PRIMARY KEY (application_id, definition_id, task_id),
        CONSTRAINT eval_definition_task_definition_fkey FOREIGN KEY (application_id, definition_id)
          REFERENCES catalog.eval_definition (application_id, id),
        CONSTRAINT eval_definition_task_task_fkey FOREIGN KEY (application_id, task_id)
          REFERENCES catalog.task (application_id, id)
      );
      CREATE INDEX eval_definition_task_task ON catalog.eval_definition_task (application_id, task_id);

      ${tenantPolicy("catalog.style_guide")}
      ${tenantPolicy("catalog.eval_definition")}
      ${tenantPolicy("catalog.eval_definition_application")}
      ${tenantPolicy("catalog.eval_definition_topic")}
      ${tenantPolicy("catalog.eval_definition_task")}

      GRANT SELECT, INSERT, UPDATE ON catalog.style_guide, catalog.eval_definition TO ems_catalog;
      GRANT SELECT, INSERT, UPDATE, DELETE
        ON catalog.eval_definition_application, catalog.eval_definition_topic, catalog.eval_definition_task
        TO ems_catalog;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE catalog.eval_definition_task, catalog.eval_definition_topic, catalog.eval_definition_application,
        catalog.eval_definition, catalog.style_guide
    `);
  }
}
