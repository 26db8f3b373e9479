import type { MigrationInterface, QueryRunner } from "typeorm";

/** Views for reporting; they include archived rows. */
export class PublishViews1763742000000 implements MigrationInterface {
  readonly name = "PublishViews1763742000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE VIEW reporting.topic_v1 AS
        SELECT t.application_id, t.org_id, t.id, t.title, t.status, t.baseline, t.is_in_scope, t.is_tasks_verified,
          t.is_documents_verified, t.is_knowledge_base_verified, t.is_policies_verified, t.assigned_to,
          (SELECT count(*)::integer FROM catalog.task k
           WHERE k.application_id = t.application_id AND k.topic_id = t.id AND k.status <> 'ARCHIVED') AS task_count,
          (SELECT count(*)::integer FROM catalog.document d
           WHERE d.application_id = t.application_id AND d.topic_id = t.id) AS document_count,
          t.created_at, t.modified_at
        FROM catalog.topic t;

      CREATE VIEW reporting.task_v1 AS
        SELECT application_id, org_id, id, title, description, type, status, topic_id, is_verified, created_at, modified_at
        FROM catalog.task;

      CREATE VIEW reporting.tag_v1 AS
        SELECT g.application_id, g.org_id, g.id, g.name, g.color, g.status, g.description,
          (SELECT count(*)::integer FROM catalog.task_tag x
           JOIN catalog.task k ON k.application_id = x.application_id AND k.id = x.task_id
           WHERE x.application_id = g.application_id AND x.tag_id = g.id AND k.status <> 'ARCHIVED') AS task_count,
          g.created_at, g.modified_at
        FROM catalog.tag g;

      CREATE VIEW reporting.eval_definition_v1 AS
        SELECT application_id, org_id, id, name, type FROM catalog.eval_definition;

      GRANT SELECT ON reporting.topic_v1, reporting.task_v1, reporting.tag_v1, reporting.eval_definition_v1
        TO ems_reporting;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      "DROP VIEW reporting.topic_v1, reporting.task_v1, reporting.tag_v1, reporting.eval_definition_v1",
    );
  }
}
