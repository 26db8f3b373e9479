import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** The tasks of experiments as they were when the baseline was started. */
export class KeepTaskSets1765000110000 implements MigrationInterface {
  readonly name = "KeepTaskSets1765000110000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE experiments.experiment ADD COLUMN task_set json;
      CREATE TABLE experiments.task_set_task (
        application_id uuid NOT NULL,
        task_set_id uuid NOT NULL,
        position integer NOT NULL,
        task_id uuid NOT NULL,
        plan json NOT NULL,
        CONSTRAINT task_set_task_pkey PRIMARY KEY (application_id, task_set_id, position)
      );
      CREATE INDEX task_set_task_task ON experiments.task_set_task (application_id, task_set_id, task_id);
      CREATE TABLE experiments.task_set_definition (
        application_id uuid NOT NULL,
        task_set_id uuid NOT NULL,
        definition_id uuid NOT NULL,
        definition json NOT NULL,
        CONSTRAINT task_set_definition_pkey PRIMARY KEY (application_id, task_set_id, definition_id)
      );
      ${tenantPolicy("experiments.task_set_task")}
      ${tenantPolicy("experiments.task_set_definition")}
      GRANT SELECT, INSERT ON experiments.task_set_task, experiments.task_set_definition TO ems_experiments;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE experiments.task_set_task, experiments.task_set_definition;
      ALTER TABLE experiments.experiment DROP COLUMN task_set;
    `);
  }
}
