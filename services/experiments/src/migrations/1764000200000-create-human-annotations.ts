import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** What people judge of traces, and the queues of traces that they are to judge. Traces may be deleted: no foreign key leads to them. */
export class CreateHumanAnnotations1764000200000 implements MigrationInterface {
  readonly name = "CreateHumanAnnotations1764000200000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE experiments.human_annotation_queue (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        topic_id uuid NOT NULL,
        assignee_id text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT human_annotation_queue_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT human_annotation_queue_key UNIQUE (application_id, topic_id, assignee_id)
      );
      CREATE INDEX human_annotation_queue_created
        ON experiments.human_annotation_queue (application_id, created_at, id);

      CREATE TABLE experiments.human_annotation_queue_item (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        queue_id uuid NOT NULL,
        trace_id uuid NOT NULL,
        completed_at timestamptz(3),
        expires_at timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT human_annotation_queue_item_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT human_annotation_queue_item_key UNIQUE (application_id, queue_id, trace_id),
        CONSTRAINT human_annotation_queue_item_queue_fkey FOREIGN KEY (application_id, queue_id)
          REFERENCES experiments.human_annotation_queue (application_id, id)
      );
      CREATE INDEX human_annotation_queue_item_created
        ON experiments.human_annotation_queue_item (application_id, created_at, id);
      CREATE INDEX human_annotation_queue_item_trace
        ON experiments.human_annotation_queue_item (application_id, trace_id);

      CREATE TABLE experiments.human_annotation (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        trace_id uuid NOT NULL,
        test_id uuid,
        task_id uuid,
        topic_id uuid,
        verdict boolean NOT NULL,
        source text NOT NULL,
        critique text,
        annotator_id text NOT NULL,
        queue_item_id uuid,
        issue_id uuid,
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT human_annotation_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT human_annotation_person_key UNIQUE (application_id, trace_id, annotator_id),
        CONSTRAINT human_annotation_source_check CHECK (source IN ('REVIEW_QUEUE', 'TRACE_PAGE', 'TEST_PAGE')),
        CONSTRAINT human_annotation_item_fkey FOREIGN KEY (application_id, queue_item_id)
          REFERENCES experiments.human_annotation_queue_item (application_id, id),
        CONSTRAINT human_annotation_issue_fkey FOREIGN KEY (application_id, issue_id)
          REFERENCES experiments.issue (application_id, id)
      );
      CREATE INDEX human_annotation_created ON experiments.human_annotation (application_id, created_at, id);
      CREATE INDEX human_annotation_item ON experiments.human_annotation (application_id, queue_item_id);

      ${tenantPolicy("experiments.human_annotation_queue")}
      ${tenantPolicy("experiments.human_annotation_queue_item")}
      ${tenantPolicy("experiments.human_annotation")}
      GRANT SELECT, INSERT ON experiments.human_annotation_queue TO ems_experiments;
      GRANT SELECT, INSERT, UPDATE ON experiments.human_annotation_queue_item, experiments.human_annotation
        TO ems_experiments;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE experiments.human_annotation, experiments.human_annotation_queue_item,
        experiments.human_annotation_queue`,
    );
  }
}
