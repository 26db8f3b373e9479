import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Messages that log records carry for steps, which may come later; and the right to add them to a step. */
export class CreateLogMessages1763806600000 implements MigrationInterface {
  readonly name = "CreateLogMessages1763806600000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE experiments.log_message (
        application_id uuid NOT NULL,
        trace_id uuid NOT NULL,
        step_id uuid NOT NULL,
        id uuid NOT NULL,
        is_output boolean NOT NULL,
        recorded_at bigint NOT NULL,
        "position" integer NOT NULL,
        content json NOT NULL,
        finish_reason text,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT log_message_pkey PRIMARY KEY (application_id, trace_id, step_id, id)
      );
      ${tenantPolicy("experiments.log_message")}
      GRANT SELECT, INSERT ON experiments.log_message TO ems_experiments;
      GRANT UPDATE (input, output, fields, size) ON experiments.trace_step TO ems_experiments;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      REVOKE UPDATE (input, output, fields, size) ON experiments.trace_step FROM ems_experiments;
      DROP TABLE experiments.log_message;
    `);
  }
}
