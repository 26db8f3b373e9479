import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Traces and their steps. Rows come by ingestion and stay as they came. */
export class CreateTraces1763726000000 implements MigrationInterface {
  readonly name = "CreateTraces1763726000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE experiments.trace (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        trace_id uuid NOT NULL,
        reference_id text,
        test_id uuid,
        "timestamp" timestamptz(3) NOT NULL,
        metadata json NOT NULL,
        size integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT trace_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT trace_trace_id_key UNIQUE (application_id, trace_id)
      );
      CREATE INDEX trace_created ON experiments.trace (application_id, created_at, id);
      CREATE INDEX trace_timestamp ON experiments.trace (application_id, "timestamp", id);
      CREATE INDEX trace_test ON experiments.trace (application_id, test_id);
      CREATE INDEX trace_reference ON experiments.trace (application_id, reference_id);

      -- input, output and metadata are json, not jsonb: they are stored and handed back, never looked into.
      CREATE TABLE experiments.trace_step (
        application_id uuid NOT NULL,
        trace_id uuid NOT NULL,
        id uuid NOT NULL,
        parent_id uuid,
        type text NOT NULL,
        event text NOT NULL,
        name text NOT NULL,
        "timestamp" timestamptz(3) NOT NULL,
        duration_ms double precision,
        input_tokens bigint NOT NULL,
        output_tokens bigint NOT NULL,
        input json,
        output json,
        metadata json NOT NULL,
        size integer NOT NULL,
        "position" integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT trace_step_pkey PRIMARY KEY (application_id, trace_id, id),
        CONSTRAINT trace_step_type_check
          CHECK (type IN ('llm', 'tool', 'retriever', 'log', 'group', 'request', 'response')),
        CONSTRAINT trace_step_event_check CHECK (event IN ('start', 'end')),
        CONSTRAINT trace_step_trace_fkey FOREIGN KEY (application_id, trace_id)
          REFERENCES experiments.trace (application_id, trace_id)
      );

      ${tenantPolicy("experiments.trace")}

      ${tenantPolicy("experiments.trace_step")}

      GRANT SELECT, INSERT ON experiments.trace, experiments.trace_step TO ems_experiments;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE experiments.trace_step, experiments.trace");
  }
}
