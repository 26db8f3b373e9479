import { relayRole } from "@ems/kit/db/schema";
import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

const relay = relayRole({ name: "evaluation" });

/** Schedules of tasks, and their view for catalog's tasks. */
export class ScheduleTasks1763832100000 implements MigrationInterface {
  readonly name = "ScheduleTasks1763832100000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE evaluation.task_schedule (
        application_id uuid NOT NULL,
        task_id uuid NOT NULL,
        org_id text NOT NULL,
        cron text NOT NULL,
        timezone text NOT NULL,
        criticality text NOT NULL,
        last_run_at timestamptz(3),
        next_run_at timestamptz(3),
        leased_until timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT task_schedule_pkey PRIMARY KEY (application_id, task_id),
        CONSTRAINT task_schedule_criticality_check CHECK (criticality IN ('LOW', 'MEDIUM', 'HIGH'))
      );
      CREATE INDEX task_schedule_due ON evaluation.task_schedule (next_run_at);
      ${tenantPolicy("evaluation.task_schedule")}
      CREATE POLICY relay ON evaluation.task_schedule TO ${relay} USING (true);
      GRANT SELECT, INSERT, UPDATE, DELETE ON evaluation.task_schedule TO ems_evaluation;
      GRANT SELECT, UPDATE (leased_until) ON evaluation.task_schedule TO ${relay};

      CREATE VIEW catalog.task_schedule_v1 AS
        SELECT application_id, task_id, cron, timezone, criticality, last_run_at, next_run_at
        FROM evaluation.task_schedule;
      GRANT SELECT ON catalog.task_schedule_v1 TO ems_catalog;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP VIEW catalog.task_schedule_v1; DROP TABLE evaluation.task_schedule;");
  }
}
