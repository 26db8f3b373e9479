import type { MigrationInterface, QueryRunner } from "typeorm";

const states = (more: string) => `
  ALTER TABLE experiments.test_execution DROP CONSTRAINT test_execution_state_check,
    ADD CONSTRAINT test_execution_state_check
      CHECK (state IN (${more}'prompt', 'writing', 'delivery', 'trace', 'judge', 'judging'));`;

/** Variants' runs ask for a few prompts at a time, so that they can be stopped; one of an experiment's variants is promoted. */
export class QueuePrompts1764000120000 implements MigrationInterface {
  readonly name = "QueuePrompts1764000120000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE experiments.experiment ADD COLUMN promoted_variant_id uuid;
      ALTER TABLE experiments.experiment_variant ADD COLUMN stopped boolean NOT NULL DEFAULT false;
      ALTER TABLE experiments.test_execution ADD COLUMN metadata json;
      ${states("'queued', ")}
      CREATE INDEX test_execution_run ON experiments.test_execution (application_id, run_id, test_id)
        WHERE state IN ('queued', 'prompt', 'writing', 'delivery');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX experiments.test_execution_run;
      DELETE FROM experiments.test_execution WHERE state = 'queued';
      ${states("")}
      ALTER TABLE experiments.test_execution DROP COLUMN metadata;
      ALTER TABLE experiments.experiment_variant DROP COLUMN stopped;
      ALTER TABLE experiments.experiment DROP COLUMN promoted_variant_id;
    `);
  }
}
