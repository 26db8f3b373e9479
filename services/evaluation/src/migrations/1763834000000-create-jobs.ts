import { relayRole, runtimeRole } from "@ems/kit/db/schema";
import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

const service = { name: "evaluation" };
const [runtime, relay] = [runtimeRole(service), relayRole(service)];
const tables = ["job", "model_call", "spending", "setting"];

/** Jobs, calls of models with what they cost, sums of budgets, and the settings of applications. */
export class CreateJobs1763834000000 implements MigrationInterface {
  readonly name = "CreateJobs1763834000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE evaluation.job (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        kind text NOT NULL,
        test_id uuid NOT NULL,
        needs_model boolean NOT NULL,
        created_at timestamptz(3) NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz(3),
        leased_until timestamptz(3),
        waiting_for text,
        consumed json,
        outcome json,
        finished_at timestamptz(3),
        CONSTRAINT job_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT job_kind_check CHECK (kind IN ('JUDGE', 'PROMPT')),
        CONSTRAINT job_due_check CHECK ((finished_at IS NULL) = (next_attempt_at IS NOT NULL))
      );
      -- Claims go from application to application; those of jobs without a model are claims of their own.
      CREATE INDEX job_due ON evaluation.job (needs_model, application_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
      CREATE INDEX job_waiting ON evaluation.job (application_id, waiting_for) WHERE waiting_for IS NOT NULL;
      CREATE INDEX job_finished ON evaluation.job (finished_at) WHERE finished_at IS NOT NULL;

      CREATE TABLE evaluation.model_call (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        connection_id uuid NOT NULL,
        started_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        ended_at timestamptz(3),
        tokens bigint NOT NULL,
        cost_micro bigint NOT NULL,
        CONSTRAINT model_call_pkey PRIMARY KEY (application_id, id)
      );
      -- The window of a connection, and what is in flight.
      CREATE INDEX model_call_window ON evaluation.model_call (connection_id, started_at);
      CREATE INDEX model_call_open ON evaluation.model_call (application_id, expires_at) WHERE ended_at IS NULL;
      CREATE INDEX model_call_ended ON evaluation.model_call (ended_at) WHERE ended_at IS NOT NULL;

      CREATE TABLE evaluation.spending (
        application_id uuid NOT NULL,
        period text NOT NULL,
        starts_at timestamptz(3) NOT NULL,
        org_id text NOT NULL,
        cost_micro bigint NOT NULL DEFAULT 0,
        tokens bigint NOT NULL DEFAULT 0,
        money_notified integer NOT NULL DEFAULT 0,
        tokens_notified integer NOT NULL DEFAULT 0,
        CONSTRAINT spending_pkey PRIMARY KEY (application_id, period, starts_at),
        CONSTRAINT spending_period_check CHECK (period IN ('day', 'month'))
      );

      CREATE TABLE evaluation.setting (
        application_id uuid NOT NULL,
        org_id text NOT NULL,
        default_connection_id uuid,
        votes integer NOT NULL DEFAULT 1,
        day_money_micro bigint,
        day_tokens bigint,
        month_money_micro bigint,
        month_tokens bigint,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT setting_pkey PRIMARY KEY (application_id)
      );
    `);
    for (const table of tables) await runner.query(tenantPolicy(`evaluation.${table}`));
    await runner.query(`
      GRANT SELECT, INSERT, UPDATE, DELETE ON evaluation.model_call TO ${runtime};
      GRANT SELECT, INSERT, UPDATE ON evaluation.spending, evaluation.setting TO ${runtime};
      GRANT SELECT, UPDATE (next_attempt_at) ON evaluation.job TO ${runtime};

      CREATE POLICY relay ON evaluation.job TO ${relay} USING (true);
      GRANT SELECT, INSERT, DELETE, UPDATE (attempts, next_attempt_at, leased_until, waiting_for, consumed, outcome,
        finished_at) ON evaluation.job TO ${relay};
      CREATE POLICY relay ON evaluation.model_call TO ${relay} USING (true);
      GRANT SELECT, INSERT, DELETE ON evaluation.model_call TO ${relay};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of tables) await runner.query(`DROP TABLE evaluation.${table}`);
  }
}
