import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Annotations and issues. Issues name rows that may be deleted, so that only their parent has a foreign key. */
export class CreateAnnotationsIssues1763772000000 implements MigrationInterface {
  readonly name = "CreateAnnotationsIssues1763772000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE experiments.annotation (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        title text NOT NULL,
        description text,
        trace_step_id uuid,
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT annotation_pkey PRIMARY KEY (application_id, id)
      );
      CREATE INDEX annotation_created ON experiments.annotation (application_id, created_at, id);

      CREATE TABLE experiments.issue (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        title text NOT NULL,
        description text,
        source text NOT NULL,
        type text NOT NULL,
        priority text NOT NULL,
        status text NOT NULL,
        assigned_to text,
        annotation_id uuid,
        eval_definition_id uuid,
        experiment_id uuid,
        parent_id uuid,
        task_id uuid,
        test_id uuid,
        topic_id uuid,
        trace_id uuid,
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT issue_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT issue_source_check
          CHECK (source IN ('TEST', 'TASK', 'TOPIC', 'SYSTEM', 'MONITORING', 'API', 'HUMAN_ANNOTATION')),
        CONSTRAINT issue_type_check CHECK (type IN ('BUG', 'HUMAN_ANNOTATION', 'SUGGESTED_TASK', 'USER_SIGNAL')),
        CONSTRAINT issue_priority_check CHECK (priority IN ('LOW', 'MEDIUM', 'HIGH')),
        CONSTRAINT issue_status_check CHECK (status IN ('OPEN', 'RESOLVED', 'REJECTED')),
        CONSTRAINT issue_parent_fkey FOREIGN KEY (application_id, parent_id)
          REFERENCES experiments.issue (application_id, id)
      );
      CREATE INDEX issue_created ON experiments.issue (application_id, created_at, id);
      CREATE INDEX issue_status ON experiments.issue (application_id, status, created_at, id);
      CREATE INDEX issue_assigned ON experiments.issue (application_id, assigned_to, created_at, id);
      CREATE INDEX issue_parent ON experiments.issue (application_id, parent_id, created_at, id);

      ${tenantPolicy("experiments.annotation")}
      ${tenantPolicy("experiments.issue")}
      GRANT SELECT, INSERT, UPDATE, DELETE ON experiments.annotation TO ems_experiments;
      GRANT SELECT, INSERT ON experiments.issue TO ems_experiments;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE experiments.issue, experiments.annotation");
  }
}
