import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

const tables = ["experiment", "inference_step", "quickstart", "assignment", "contradiction"];

const walledIn = (table: string) => `
  ${tenantPolicy(`experiments.${table}`)}
  GRANT SELECT, INSERT, UPDATE ON experiments.${table} TO ems_experiments;`;

/** Experiments and inference steps; quickstarts with their assignments and contradictions. */
export class CreateExperiments1763725000000 implements MigrationInterface {
  readonly name = "CreateExperiments1763725000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Inference steps are never deleted and tasks are catalog's: a list of ids says all that a table between would.
      CREATE TABLE experiments.experiment (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        title text NOT NULL,
        description text NOT NULL,
        status text NOT NULL,
        inference_step_ids uuid[] NOT NULL,
        task_ids uuid[] NOT NULL,
        assignee text,
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT experiment_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT experiment_status_check CHECK (status IN ('DRAFT', 'BASELINE_PENDING', 'BASELINE_RUNNING',
          'BASELINE_COMPLETED', 'RUNNING', 'COMPLETED', 'ARCHIVED'))
      );
      CREATE INDEX experiment_created ON experiments.experiment (application_id, created_at, id);

      CREATE TABLE experiments.inference_step (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        type text NOT NULL,
        external_id text,
        title text NOT NULL,
        description text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT inference_step_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT inference_step_external_id_key UNIQUE (application_id, external_id),
        CONSTRAINT inference_step_type_check CHECK (type IN ('LLM', 'RETRIEVER'))
      );
      CREATE INDEX inference_step_created ON experiments.inference_step (application_id, created_at, id);

      CREATE TABLE experiments.quickstart (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        title text NOT NULL,
        description text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT quickstart_pkey PRIMARY KEY (application_id, id)
      );
      CREATE INDEX quickstart_created ON experiments.quickstart (application_id, created_at, id);

      CREATE TABLE experiments.assignment (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        quickstart_id uuid NOT NULL,
        stage text NOT NULL,
        topic_id uuid NOT NULL,
        assigned_to text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT assignment_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT assignment_topic_key UNIQUE (application_id, quickstart_id, stage, topic_id),
        CONSTRAINT assignment_stage_check CHECK (stage IN ('KB_REVIEW', 'TASKS_TOPICS_REVIEW')),
        CONSTRAINT assignment_quickstart_fkey FOREIGN KEY (application_id, quickstart_id)
          REFERENCES experiments.quickstart (application_id, id)
      );
      CREATE INDEX assignment_created ON experiments.assignment (application_id, quickstart_id, created_at, id);

      CREATE TABLE experiments.contradiction (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        quickstart_id uuid NOT NULL,
        document_test_id uuid NOT NULL,
        document_a_id uuid NOT NULL,
        document_b_id uuid NOT NULL,
        reason text NOT NULL,
        passage_a text NOT NULL,
        passage_b text NOT NULL,
        resolved boolean NOT NULL DEFAULT false,
        assigned_to text,
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT contradiction_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT contradiction_quickstart_fkey FOREIGN KEY (application_id, quickstart_id)
          REFERENCES experiments.quickstart (application_id, id)
      );
      CREATE INDEX contradiction_created ON experiments.contradiction (application_id, quickstart_id, created_at, id);
    `);
    await runner.query(tables.map(walledIn).join(""));
  }

  async down(runner: QueryRunner): Promise<void> {
    const names = tables.toReversed().map((table) => `experiments.${table}`);
    await runner.query(`DROP TABLE ${names.join(", ")}`);
  }
}
