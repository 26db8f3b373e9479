import type { MigrationInterface, QueryRunner } from "typeorm";

/** Tags of tasks, for experiments' list of tests. */
export class PublishTaskTags1763806302000 implements MigrationInterface {
  readonly name = "PublishTaskTags1763806302000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE VIEW experiments.task_tag_v1 AS SELECT application_id, task_id, tag_id FROM catalog.task_tag;
      GRANT SELECT ON experiments.task_tag_v1 TO ems_experiments;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP VIEW experiments.task_tag_v1");
  }
}
