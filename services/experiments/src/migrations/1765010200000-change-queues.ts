import type { MigrationInterface, QueryRunner } from "typeorm";

/** Queues change their assignee and are deleted with their items, which annotations name from then on without a key. */
export class ChangeQueues1765010200000 implements MigrationInterface {
  readonly name = "ChangeQueues1765010200000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE experiments.human_annotation DROP CONSTRAINT human_annotation_item_fkey;
      GRANT UPDATE, DELETE ON experiments.human_annotation_queue TO ems_experiments;
      GRANT DELETE ON experiments.human_annotation_queue_item TO ems_experiments;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      REVOKE DELETE ON experiments.human_annotation_queue_item FROM ems_experiments;
      REVOKE UPDATE, DELETE ON experiments.human_annotation_queue FROM ems_experiments;
      ALTER TABLE experiments.human_annotation ADD CONSTRAINT human_annotation_item_fkey FOREIGN KEY (application_id, queue_item_id)
        REFERENCES experiments.human_annotation_queue_item (application_id, id) NOT VALID;
    `);
  }
}
