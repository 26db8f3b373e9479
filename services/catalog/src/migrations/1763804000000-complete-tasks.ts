import type { MigrationInterface, QueryRunner } from "typeorm";

/** More of tasks, tags without a description, and topics that can be deleted. */
export class CompleteTasks1763804000000 implements MigrationInterface {
  readonly name = "CompleteTasks1763804000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE catalog.task
        DROP CONSTRAINT task_prompts_check,
        ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN simulated_prompt_schema jsonb,
        ADD COLUMN parent_id uuid,
        ADD COLUMN trace_id uuid,
        ADD COLUMN quickstart_id uuid,
        ADD CONSTRAINT task_parent_fkey FOREIGN KEY (application_id, parent_id)
          REFERENCES catalog.task (application_id, id),
        ADD CONSTRAINT task_quickstart_fkey FOREIGN KEY (application_id, quickstart_id)
          REFERENCES catalog.quickstart (application_id, id);
      ALTER TABLE catalog.tag ALTER COLUMN description DROP NOT NULL;
      GRANT DELETE ON catalog.topic TO ems_catalog;

      CREATE OR REPLACE VIEW reporting.topic_v1 AS
        SELECT t.application_id, t.org_id, t.id, t.title, t.status, t.baseline, t.is_in_scope, t.is_tasks_verified,
          t.is_documents_verified, t.is_knowledge_base_verified, t.is_policies_verified, t.assigned_to,
          (SELECT count(*)::integer FROM catalog.task k
           WHERE k.application_id = t.application_id AND k.topic_id = t.id AND k.status = 'ACTIVE') AS task_count,
          (SELECT count(*)::integer FROM catalog.document d
           WHERE d.application_id = t.application_id AND d.topic_id = t.id) AS document_count,
          t.created_at, t.modified_at
        FROM catalog.topic t;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE VIEW reporting.topic_v1 AS
        SELECT t.application_id, t.org_id, t.id, t.title, t.status, t.baseline, t.is_in_scope, t.is_tasks_verified,
          t.is_documents_verified, t.is_knowledge_base_verified, t.is_policies_verified, t.assigned_to,
          (SELECT count(*)::integer FROM catalog.task k
           WHERE k.application_id = t.application_id AND k.topic_id = t.id AND k.status <> 'ARCHIVED') AS task_count,
          (SELECT count(*)::integer FROM catalog.document d
           WHERE d.application_id = t.application_id AND d.topic_id = t.id) AS document_count,
          t.created_at, t.modified_at
        FROM catalog.topic t;
      REVOKE DELETE ON catalog.topic FROM ems_catalog;
      UPDATE catalog.tag SET description = '' WHERE description IS NULL;
      ALTER TABLE catalog.tag ALTER COLUMN description SET NOT NULL;
      UPDATE catalog.task SET prompts = '{}' WHERE type <> 'STATIC';
      ALTER TABLE catalog.task
        DROP COLUMN metadata,
        DROP COLUMN simulated_prompt_schema,
        DROP COLUMN parent_id,
        DROP COLUMN trace_id,
        DROP COLUMN quickstart_id,
        ADD CONSTRAINT task_prompts_check CHECK (type = 'STATIC' OR cardinality(prompts) = 0);
    `);
  }
}
