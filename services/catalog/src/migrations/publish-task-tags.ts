import type { MigrationInterface, QueryRunner } from "typeorm";

/** Publishes the tags of tasks, by which reports filter tests. */
export class PublishTaskTags1765600000000 implements MigrationInterface {
  readonly name = "PublishTaskTags1765600000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE VIEW reporting.task_tag_v1 AS SELECT application_id, task_id, tag_id FROM catalog.task_tag;
      GRANT SELECT ON reporting.task_tag_v1 TO ems_reporting`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP VIEW reporting.task_tag_v1");
  }
}
