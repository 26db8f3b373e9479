import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Variants of experiments. Runs name them, those before this migration any id. */
export class CreateVariants1764000110000 implements MigrationInterface {
  readonly name = "CreateVariants1764000110000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE experiments.experiment_variant (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        experiment_id uuid NOT NULL,
        parent_id uuid,
        title text NOT NULL,
        description text NOT NULL,
        status text NOT NULL,
        config_patch json NOT NULL,
        config json NOT NULL,
        run_id uuid,
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT experiment_variant_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT experiment_variant_status_check
          CHECK (status IN ('DRAFT', 'RUNNING', 'COMPLETED', 'FAILED', 'REJECTED')),
        CONSTRAINT experiment_variant_experiment_fkey FOREIGN KEY (application_id, experiment_id)
          REFERENCES experiments.experiment (application_id, id),
        CONSTRAINT experiment_variant_parent_fkey FOREIGN KEY (application_id, parent_id)
          REFERENCES experiments.experiment_variant (application_id, id)
      );
      CREATE INDEX experiment_variant_created
        ON experiments.experiment_variant (application_id, experiment_id, created_at, id);
      ${tenantPolicy("experiments.experiment_variant")}
      GRANT SELECT, INSERT, UPDATE ON experiments.experiment_variant TO ems_experiments;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE experiments.experiment_variant");
  }
}
