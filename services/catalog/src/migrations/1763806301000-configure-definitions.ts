import type { MigrationInterface, QueryRunner } from "typeorm";

/** Settings of definitions by their type, expectations of links as lists and of tasks, and definitions of quickstarts. */
export class ConfigureDefinitions1763806301000 implements MigrationInterface {
  readonly name = "ConfigureDefinitions1763806301000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE catalog.eval_definition
        ADD COLUMN status text NOT NULL DEFAULT 'ACTIVE',
        ADD COLUMN quickstart_id uuid,
        ADD COLUMN ground_truth text,
        ADD COLUMN comparison json,
        ADD CONSTRAINT eval_definition_status_check CHECK (status IN ('DRAFT', 'ACTIVE')),
        ADD CONSTRAINT eval_definition_quickstart_fkey FOREIGN KEY (application_id, quickstart_id)
          REFERENCES catalog.quickstart (application_id, id);
      CREATE INDEX eval_definition_quickstart ON catalog.eval_definition (application_id, quickstart_id);

      ALTER TABLE catalog.eval_definition_topic ADD COLUMN expected_list text[];
      ALTER TABLE catalog.eval_definition_task ADD COLUMN expected text, ADD COLUMN expected_list text[];
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE catalog.eval_definition_task DROP COLUMN expected, DROP COLUMN expected_list;
      ALTER TABLE catalog.eval_definition_topic DROP COLUMN expected_list;
      ALTER TABLE catalog.eval_definition DROP COLUMN status, DROP COLUMN quickstart_id, DROP COLUMN ground_truth,
        DROP COLUMN comparison;
    `);
  }
}
