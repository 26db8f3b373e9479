import { relayRole } from "@ems/kit/db/schema";
import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";
import { dropTaskDayTriggers, taskDayTriggers } from "./1763804100000-roll-up-tasks.ts";

const relay = relayRole({ name: "experiments" });

/** Tests and evaluations have a life: columns of it, the queue of tests in flight, and sums that the service alone keeps. */
export class ExecuteTests1763830000000 implements MigrationInterface {
  readonly name = "ExecuteTests1763830000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(columns);
    await runner.query(queue);
    await runner.query(dropTaskDayTriggers);
    await runner.query(
      views({
        modifiedAt: "coalesce(modified_at, created_at)",
        current: "WHERE replaced_by IS NULL",
        days: "WHERE rows > 0",
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(views({ modifiedAt: "created_at", current: "", days: "" }));
    await runner.query(taskDayTriggers);
    await runner.query(`
      DROP TABLE experiments.test_execution;
      REVOKE UPDATE ON experiments.test, experiments.evaluation FROM ems_experiments;
      ALTER TABLE experiments.test DROP COLUMN message, DROP COLUMN waiting_for, DROP COLUMN prompt,
        DROP COLUMN modified_at, DROP COLUMN trace_id, DROP COLUMN trace_steps;
      ALTER TABLE experiments.evaluation DROP COLUMN waiting_for, DROP COLUMN expected, DROP COLUMN modified_at,
        DROP COLUMN definition_version, DROP COLUMN judge_version, DROP COLUMN model_connection_id, DROP COLUMN model,
        DROP COLUMN input_tokens, DROP COLUMN output_tokens, DROP COLUMN cost_micro, DROP COLUMN duration_ms,
        DROP COLUMN attempts, DROP COLUMN replaced_by;
    `);
  }
}

// A row without modified_at was modified when it was created.
const columns = `
  ALTER TABLE experiments.test
    ADD COLUMN message text,
    ADD COLUMN waiting_for text,
    ADD COLUMN prompt json,
    ADD COLUMN modified_at timestamptz(3),
    ADD COLUMN trace_id uuid,
    ADD COLUMN trace_steps integer;
  ALTER TABLE experiments.evaluation
    ADD COLUMN waiting_for text,
    ADD COLUMN expected json,
    ADD COLUMN modified_at timestamptz(3),
    ADD COLUMN definition_version integer,
    ADD COLUMN judge_version text,
    ADD COLUMN model_connection_id uuid,
    ADD COLUMN model text,
    ADD COLUMN input_tokens bigint,
    ADD COLUMN output_tokens bigint,
    ADD COLUMN cost_micro bigint,
    ADD COLUMN duration_ms integer,
    ADD COLUMN attempts integer,
    ADD COLUMN replaced_by uuid;
  GRANT UPDATE ON experiments.test, experiments.evaluation TO ems_experiments;`;

// Rows change often and are few: those of tests that have not ended.
const queue = `
  CREATE TABLE experiments.test_execution (
    application_id uuid NOT NULL,
    test_id uuid NOT NULL,
    org_id text NOT NULL,
    run_id uuid NOT NULL,
    created_at timestamptz(3) NOT NULL,
    state text NOT NULL,
    due_at timestamptz(3) NOT NULL,
    attempt integer NOT NULL DEFAULT 0,
    definitions json NOT NULL,
    evaluations json NOT NULL,
    CONSTRAINT test_execution_pkey PRIMARY KEY (application_id, test_id),
    CONSTRAINT test_execution_state_check
      CHECK (state IN ('prompt', 'writing', 'delivery', 'trace', 'judge', 'judging'))
  ) WITH (fillfactor = 70);
  CREATE INDEX test_execution_work ON experiments.test_execution (application_id, due_at)
    WHERE state IN ('prompt', 'judge');
  CREATE INDEX test_execution_deadline ON experiments.test_execution (due_at) WHERE state IN ('delivery', 'trace');
  ALTER TABLE experiments.test_execution
    SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
  ${tenantPolicy("experiments.test_execution")}
  CREATE POLICY relay ON experiments.test_execution TO ${relay} USING (true);
  GRANT SELECT, INSERT, UPDATE, DELETE ON experiments.test_execution TO ems_experiments;
  GRANT SELECT, UPDATE (state, due_at, attempt) ON experiments.test_execution TO ${relay};`;

interface Conditions {
  readonly modifiedAt: string;
  /** Which evaluations are shown. */
  readonly current: string;
  /** Which sums are shown: none of groups that all results have left. */
  readonly days: string;
}

const views = ({ modifiedAt, current, days }: Conditions) => `
  CREATE OR REPLACE VIEW reporting.test_v1 AS
    SELECT application_id, org_id, id, task_id, topic_id, run_id, run_type, status, score_micro, passed, duration_ms,
      created_at, ${modifiedAt} AS modified_at
    FROM experiments.test;

  CREATE OR REPLACE VIEW reporting.evaluation_v1 AS
    SELECT application_id, org_id, id, test_id, run_id, task_id, topic_id, definition_id, definition_type, status,
      score_micro, passed, created_at, ${modifiedAt} AS modified_at
    FROM experiments.evaluation ${current};

  CREATE OR REPLACE VIEW reporting.test_day_v1 AS
    SELECT application_id, org_id, day, nullif(topic_id, '00000000-0000-0000-0000-000000000000') AS topic_id, run_type,
      status, rows, passed_rows, passed_true, score_rows, score_sum, score_min, score_max, duration_rows, duration_sum,
      duration_min, duration_max
    FROM experiments.test_day ${days};

  CREATE OR REPLACE VIEW reporting.evaluation_day_v1 AS
    SELECT application_id, org_id, day, nullif(topic_id, '00000000-0000-0000-0000-000000000000') AS topic_id,
      definition_id, definition_type, status, rows, passed_rows, passed_true, score_rows, score_sum, score_min, score_max
    FROM experiments.evaluation_day ${days};

  CREATE OR REPLACE VIEW catalog.evaluated_definition_v1 AS
    SELECT application_id, definition_id, status FROM experiments.evaluation_day ${days}
    GROUP BY application_id, definition_id, status;`;
