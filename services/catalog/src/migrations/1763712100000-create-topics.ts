import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import { createOutboxV1 } from "@ems/kit/events/outbox";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Topics, their tasks, and the ids of quickstarts that topics may name. */
export class CreateTopics1763712100000 implements MigrationInterface {
  readonly name = "CreateTopics1763712100000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Ids only: the experiments service owns quickstarts.
      CREATE TABLE catalog.quickstart (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        CONSTRAINT quickstart_pkey PRIMARY KEY (application_id, id)
      );

      CREATE TABLE catalog.topic (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        title text NOT NULL,
        baseline double precision,
        status text NOT NULL,
        is_in_scope boolean NOT NULL DEFAULT true,
        is_tasks_verified boolean NOT NULL DEFAULT false,
        is_documents_verified boolean NOT NULL DEFAULT false,
        is_knowledge_base_verified boolean NOT NULL DEFAULT false,
        is_policies_verified boolean NOT NULL DEFAULT false,
        assigned_to text,
        quickstart_id uuid,
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT topic_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT topic_status_check CHECK (status IN ('DRAFT', 'ACTIVE', 'ARCHIVED')),
        CONSTRAINT topic_quickstart_fkey FOREIGN KEY (application_id, quickstart_id)
          REFERENCES catalog.quickstart (application_id, id)
      );
      CREATE INDEX topic_created ON catalog.topic (application_id, created_at, id);

      CREATE TABLE catalog.task (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        topic_id uuid,
        title text NOT NULL,
        description text NOT NULL,
        type text NOT NULL,
        status text NOT NULL,
        is_verified boolean NOT NULL DEFAULT false,
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT task_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT task_status_check CHECK (status IN ('DEDUCED', 'DRAFT', 'ACTIVE', 'ARCHIVED')),
        CONSTRAINT task_type_check CHECK (type IN ('NORMAL', 'STATIC')),
        CONSTRAINT task_topic_fkey FOREIGN KEY (application_id, topic_id) REFERENCES catalog.topic (application_id, id)
      );
      CREATE INDEX task_topic ON catalog.task (application_id, topic_id);

      ${tenantPolicy("catalog.quickstart")}
      ${tenantPolicy("catalog.topic")}
      ${tenantPolicy("catalog.task")}

      GRANT SELECT ON catalog.migration TO ems_catalog;
      GRANT SELECT, INSERT, UPDATE ON catalog.quickstart, catalog.topic, catalog.task TO ems_catalog;
    `);
    await runner.query(createOutboxV1("catalog", "ems_catalog"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE catalog.outbox, catalog.task, catalog.topic, catalog.quickstart");
  }
}
