import { relayRole } from "@ems/kit/db/schema";
import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

const relay = relayRole({ name: "experiments" });

/** The queue of traces that settle; which trace closed a test; how much live traffic is judged, and its runs. */
export class SettleTraces1763831000000 implements MigrationInterface {
  readonly name = "SettleTraces1763831000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE experiments.trace_settling (
        application_id uuid NOT NULL,
        trace_id uuid NOT NULL,
        test_id uuid,
        has_root boolean NOT NULL,
        started_at timestamptz(3) NOT NULL DEFAULT now(),
        due_at timestamptz(3) NOT NULL,
        leased_until timestamptz(3) NOT NULL DEFAULT '-infinity',
        org_id text NOT NULL,
        CONSTRAINT trace_settling_pkey PRIMARY KEY (application_id, trace_id)
      ) WITH (fillfactor = 70);
      CREATE INDEX trace_settling_due ON experiments.trace_settling (due_at);
      CREATE INDEX trace_settling_test ON experiments.trace_settling (application_id, test_id) WHERE test_id IS NOT NULL;
      ${tenantPolicy("experiments.trace_settling")}
      CREATE POLICY relay ON experiments.trace_settling TO ${relay} USING (true);
      GRANT SELECT, INSERT, UPDATE, DELETE ON experiments.trace_settling TO ems_experiments;
      GRANT SELECT, UPDATE (leased_until) ON experiments.trace_settling TO ${relay};

      CREATE TABLE experiments.monitoring (
        application_id uuid NOT NULL,
        org_id text NOT NULL,
        sample_rate double precision NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT monitoring_pkey PRIMARY KEY (application_id),
        CONSTRAINT monitoring_sample_rate_check CHECK (sample_rate BETWEEN 0 AND 1)
      );
      ${tenantPolicy("experiments.monitoring")}
      CREATE POLICY relay ON experiments.monitoring TO ${relay} USING (true);
      GRANT SELECT, INSERT, UPDATE ON experiments.monitoring TO ems_experiments;
      GRANT SELECT ON experiments.monitoring TO ${relay};

      CREATE TABLE experiments.monitoring_run (
        application_id uuid NOT NULL,
        day date NOT NULL,
        run_id uuid NOT NULL,
        org_id text NOT NULL,
        is_open boolean NOT NULL DEFAULT true,
        CONSTRAINT monitoring_run_pkey PRIMARY KEY (application_id, day)
      );
      CREATE INDEX monitoring_run_open ON experiments.monitoring_run (day) WHERE is_open;
      ${tenantPolicy("experiments.monitoring_run")}
      CREATE POLICY relay ON experiments.monitoring_run TO ${relay} USING (true);
      GRANT SELECT, INSERT, UPDATE (is_open) ON experiments.monitoring_run TO ems_experiments;
      GRANT SELECT ON experiments.monitoring_run TO ${relay};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE experiments.monitoring_run, experiments.monitoring, experiments.trace_settling;");
  }
}
