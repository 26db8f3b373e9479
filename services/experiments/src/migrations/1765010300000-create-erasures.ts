import { relayRole } from "@ems/kit/db/schema";
import { auditTableV1 } from "@ems/kit/db/shared-migrations";
import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

const relay = relayRole({ name: "experiments" });

/** Erasures of end users, what they have still to do, and the rights to what is erased. */
export class CreateErasures1765010300000 implements MigrationInterface {
  readonly name = "CreateErasures1765010300000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE experiments.erasure (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        -- A hash: the user is stored nowhere.
        end_user_key uuid NOT NULL,
        status text NOT NULL CONSTRAINT erasure_status_check CHECK (status IN ('RUNNING', 'COMPLETED')),
        erased json NOT NULL DEFAULT '{}',
        due_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        completed_at timestamptz(3),
        CONSTRAINT erasure_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT erasure_due_check CHECK ((status = 'RUNNING') = (due_at IS NOT NULL))
      );
      CREATE INDEX erasure_created ON experiments.erasure (application_id, created_at, id);
      CREATE UNIQUE INDEX erasure_running ON experiments.erasure (application_id, end_user_key) WHERE status = 'RUNNING';
      CREATE INDEX erasure_due ON experiments.erasure (due_at) WHERE due_at IS NOT NULL;
      ${tenantPolicy("experiments.erasure")}
      CREATE POLICY relay ON experiments.erasure TO ${relay} USING (true);
      GRANT SELECT, INSERT, UPDATE ON experiments.erasure TO ems_experiments;
      GRANT SELECT, UPDATE (due_at) ON experiments.erasure TO ${relay};
      ${auditTableV1("experiments", { table: "erasure" })}

      -- Traces of tests of erased tasks: they are of other users, or of none.
      CREATE TABLE experiments.erasure_trace (
        application_id uuid NOT NULL,
        erasure_id uuid NOT NULL,
        trace_id uuid NOT NULL,
        CONSTRAINT erasure_trace_pkey PRIMARY KEY (application_id, erasure_id, trace_id)
      );
      ${tenantPolicy("experiments.erasure_trace")}
      GRANT SELECT, INSERT, DELETE ON experiments.erasure_trace TO ems_experiments;

      -- What is erased here and not yet where there are copies.
      CREATE TABLE experiments.erasure_work (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        erasure_id uuid NOT NULL,
        service text NOT NULL CONSTRAINT erasure_work_service_check CHECK (service IN ('CATALOG', 'EVALUATION', 'NOTIFICATIONS')),
        trace_ids uuid[] NOT NULL,
        test_ids uuid[] NOT NULL,
        subject_ids uuid[] NOT NULL,
        due_at timestamptz(3) NOT NULL,
        CONSTRAINT erasure_work_pkey PRIMARY KEY (application_id, id)
      );
      CREATE INDEX erasure_work_due ON experiments.erasure_work (service, due_at);
      CREATE INDEX erasure_work_erasure ON experiments.erasure_work (application_id, erasure_id);
      ${tenantPolicy("experiments.erasure_work")}
      CREATE POLICY relay ON experiments.erasure_work TO ${relay} USING (true);
      GRANT SELECT, INSERT, DELETE ON experiments.erasure_work TO ems_experiments;
      GRANT SELECT, UPDATE (due_at) ON experiments.erasure_work TO ${relay};

      GRANT DELETE ON experiments.trace, experiments.trace_step, experiments.trace_words, experiments.trace_metadata,
        experiments.log_message TO ems_experiments;
      GRANT UPDATE (plan) ON experiments.task_set_task TO ems_experiments;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      REVOKE UPDATE (plan) ON experiments.task_set_task FROM ems_experiments;
      REVOKE DELETE ON experiments.trace, experiments.trace_step, experiments.trace_words, experiments.trace_metadata,
        experiments.log_message FROM ems_experiments;
      DROP TABLE experiments.erasure_work, experiments.erasure_trace, experiments.erasure;
    `);
  }
}
