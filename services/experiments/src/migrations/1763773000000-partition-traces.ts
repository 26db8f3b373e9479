import { createCountMovesV1 } from "@ems/kit/db/shared-migrations";
import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Steps in partitions by month, their totals on the trace's row, and one id for a trace: the one that steps name. Stored steps
 * get the fields of their kinds.
 */
export class PartitionTraces1763773000000 implements MigrationInterface {
  readonly name = "PartitionTraces1763773000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE experiments.trace NO FORCE ROW LEVEL SECURITY;
      ALTER TABLE experiments.trace_step NO FORCE ROW LEVEL SECURITY;
      ALTER TABLE experiments.trace_step RENAME CONSTRAINT trace_step_pkey TO earlier_trace_step_pkey;
      ALTER TABLE experiments.trace_step RENAME TO earlier_trace_step;
    `);
    await runner.query(steps);
    await runner.query(addMonths);
    await runner.query(traceColumns);
    await runner.query(moveSteps);
    await runner.query(moveTraces);
    await runner.query(`
      ${tenantPolicy("experiments.trace_step")}
      GRANT SELECT, INSERT ON experiments.trace_step TO ems_experiments;
      GRANT UPDATE (${updatedColumns}) ON experiments.trace TO ems_experiments;
      ALTER TABLE experiments.trace FORCE ROW LEVEL SECURITY;
    `);
    // An earlier step that comes later changes a trace's time, by which its row is counted.
    await runner.query(createCountMovesV1(counted, "timestamp"));
  }

  async down(): Promise<void> {
    throw new Error("Steps of kinds and fields that the earlier tables do not have would be lost");
  }
}

const updatedColumns = `reference_id, test_id, "timestamp", type, event, root_at, is_root_child, has_error, steps, bytes,
  started_at, ended_at, step_count, total_cost, total_duration_ms, total_prompt_tokens, total_completion_tokens, pinned,
  metadata, evals, modified_at`;

// No foreign key to the trace: attaching a month would lock all traces against writes. Payloads are never looked into.
const steps = `
  CREATE TABLE experiments.trace_step (
    application_id uuid NOT NULL,
    month timestamptz(3) NOT NULL,
    trace_id uuid NOT NULL,
    id uuid NOT NULL,
    parent_id uuid,
    "timestamp" timestamptz(3) NOT NULL,
    "position" integer NOT NULL,
    size integer NOT NULL,
    type text NOT NULL,
    event text,
    input text,
    output text,
    fields json NOT NULL,
    CONSTRAINT trace_step_pkey PRIMARY KEY (application_id, trace_id, id, month),
    CONSTRAINT trace_step_type_check CHECK (type IN ('llm', 'tool', 'retriever', 'reranker', 'agent', 'embedding',
      'guardrail', 'evaluator', 'log', 'group', 'request', 'response')),
    CONSTRAINT trace_step_event_check CHECK (event IN ('start', 'end'))
  ) PARTITION BY RANGE (month);`;

// As before, with the steps of traces.
const addMonths = `
  CREATE OR REPLACE FUNCTION experiments.add_months(days date[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
  DECLARE
    parent text;
    part text;
    month date;
  BEGIN
    IF EXISTS (SELECT FROM unnest(days) day
        WHERE day IS NULL OR day NOT BETWEEN '2020-01-01' AND now() + interval '14 months') THEN
      RAISE EXCEPTION 'results are kept from 2020 until a year ahead' USING ERRCODE = 'datetime_field_overflow';
    END IF;
    FOR parent, month, part IN
      SELECT p.parent, m.month, p.parent || to_char(m.month, '_YYYY_MM')
      FROM (SELECT DISTINCT (date_trunc('month', day) + ahead * interval '1 month')::date AS month
            FROM unnest(days) day, generate_series(0, 1) ahead) m,
        unnest('{test,evaluation,trace_step}'::text[]) p (parent)
      ORDER BY m.month, p.parent
    LOOP
      CONTINUE WHEN EXISTS (SELECT FROM pg_class WHERE relname = part AND relnamespace = 'experiments'::regnamespace);
      PERFORM pg_advisory_xact_lock(hashtextextended('experiments.add_months', 0));
      -- Looked up in the table again: to_regclass may remember that there was none.
      CONTINUE WHEN EXISTS (SELECT FROM pg_class WHERE relname = part AND relnamespace = 'experiments'::regnamespace);
      EXECUTE format('CREATE TABLE experiments.%I (LIKE experiments.%I INCLUDING ALL)', part, parent);
      EXECUTE format('ALTER TABLE experiments.%I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', part);
      EXECUTE format('CREATE POLICY tenant ON experiments.%I
        USING (application_id = nullif(current_setting(''ems.application_id'', true), '''')::uuid)', part);
      EXECUTE format('ALTER TABLE experiments.%I ATTACH PARTITION experiments.%I FOR VALUES FROM (%L) TO (%L)',
        parent, part, month::timestamptz, (month + interval '1 month')::timestamptz);
    END LOOP;
  END $$;`;

// Defaults are for the traces that are there.
const traceColumns = `
  ALTER TABLE experiments.trace
    ADD COLUMN earlier_id uuid,
    ADD COLUMN type text NOT NULL DEFAULT 'group',
    ADD COLUMN event text,
    ADD COLUMN root_at timestamptz(3),
    ADD COLUMN is_root_child boolean NOT NULL DEFAULT false,
    ADD COLUMN has_error boolean NOT NULL DEFAULT false,
    ADD COLUMN steps integer NOT NULL DEFAULT 0,
    ADD COLUMN bytes integer NOT NULL DEFAULT 0,
    ADD COLUMN started_at timestamptz(3),
    ADD COLUMN ended_at timestamptz(3),
    ADD COLUMN step_count integer NOT NULL DEFAULT 0,
    ADD COLUMN total_cost double precision NOT NULL DEFAULT 0,
    ADD COLUMN total_duration_ms bigint NOT NULL DEFAULT 0,
    ADD COLUMN total_prompt_tokens bigint NOT NULL DEFAULT 0,
    ADD COLUMN total_completion_tokens bigint NOT NULL DEFAULT 0,
    ADD COLUMN pinned integer NOT NULL DEFAULT 64,
    ADD COLUMN evals json,
    ADD COLUMN modified_at timestamptz(3);`;

const text = (column: string) =>
  `CASE json_typeof(${column}) WHEN 'null' THEN NULL WHEN 'string' THEN ${column} #>> '{}' ELSE ${column}::text END`;

// One timestamp of several steps was ordered by their arrival. Of other kinds than llm, an event said nothing.
const moveSteps = `
  DO $$
  DECLARE days date[];
  BEGIN
    SELECT array_agg(DISTINCT (date_trunc('month', created_at, 'UTC') AT TIME ZONE 'UTC')::date) INTO days
    FROM experiments.trace;
    IF days IS NOT NULL THEN PERFORM experiments.add_months(days); END IF;
  END $$;

  INSERT INTO experiments.trace_step
  SELECT application_id, month, trace_id, id, parent_id, "timestamp", arrival,
    120 + coalesce(octet_length(input), 0) + coalesce(octet_length(output), 0) + octet_length(fields::text),
    type, CASE WHEN type = 'llm' THEN event END, input, output, fields
  FROM (
    SELECT s.application_id, date_trunc('month', t.created_at, 'UTC') AS month, s.trace_id, s.id, s.parent_id, s."timestamp",
      row_number() OVER (PARTITION BY s.application_id, s.trace_id ORDER BY s.created_at, s."position", s.id) - 1 AS arrival,
      s.type, s.event,
      CASE WHEN s.type IN ('log', 'request', 'response') AND p.input IS NULL THEN p.output ELSE p.input END AS input,
      CASE WHEN s.type IN ('log', 'request', 'response') AND p.input IS NULL THEN NULL
        WHEN s.type = 'llm' AND p.output IS NOT NULL AND NOT (p.output IS JSON)
          THEN json_build_object('message', p.output)::text
        ELSE p.output END AS output,
      coalesce((SELECT json_object_agg(f.key, f.value) FROM (VALUES
          ('name', to_json(nullif(s.name, ''))),
          ('durationMs', to_json(round(CASE WHEN s.duration_ms < 9e15 THEN s.duration_ms END)::bigint)),
          ('usage', CASE WHEN s.input_tokens + s.output_tokens > 0 THEN
            json_build_object('promptTokens', s.input_tokens, 'completionTokens', s.output_tokens) END),
          ('metadata', CASE WHEN s.metadata::text <> '{}' THEN s.metadata END)) f (key, value)
        WHERE f.value IS NOT NULL), '{}') AS fields
    FROM experiments.earlier_trace_step s
    JOIN experiments.trace t ON t.application_id = s.application_id AND t.trace_id = s.trace_id
    CROSS JOIN LATERAL (SELECT ${text("s.input")} AS input, ${text("s.output")} AS output) p
  ) s;`;

const moveTraces = `
  UPDATE experiments.trace t SET type = s.type, event = s.event, root_at = s.root_at, is_root_child = s.is_root_child,
    steps = s.steps, step_count = s.steps, bytes = s.bytes, started_at = s.started_at, ended_at = s.ended_at,
    total_duration_ms = extract(epoch FROM s.ended_at - s.started_at) * 1000,
    total_prompt_tokens = s.prompt_tokens, total_completion_tokens = s.completion_tokens
  FROM (
    SELECT s.application_id, s.trace_id, count(*) AS steps, sum(s.size) AS bytes, min(s."timestamp") AS started_at,
      max(least(s."timestamp" + interval '1 ms' * least(coalesce((s.fields ->> 'durationMs')::float8, 0), 2.5e14),
        '9999-12-31T23:59:59.999Z')) AS ended_at,
      coalesce(sum((s.fields -> 'usage' ->> 'promptTokens')::bigint), 0) AS prompt_tokens,
      coalesce(sum((s.fields -> 'usage' ->> 'completionTokens')::bigint), 0) AS completion_tokens,
      (array_agg(s.type ORDER BY s.parent_id IS NOT NULL, s."timestamp", s."position"))[1] AS type,
      (array_agg(s.event ORDER BY s.parent_id IS NOT NULL, s."timestamp", s."position"))[1] AS event,
      (array_agg(s."timestamp" ORDER BY s.parent_id IS NOT NULL, s."timestamp", s."position"))[1] AS root_at,
      bool_and(s.parent_id IS NOT NULL) AS is_root_child
    FROM experiments.trace_step s GROUP BY s.application_id, s.trace_id
  ) s
  WHERE t.application_id = s.application_id AND t.trace_id = s.trace_id;

  UPDATE experiments.trace SET modified_at = created_at, earlier_id = CASE WHEN id <> trace_id THEN id END;
  DROP TABLE experiments.earlier_trace_step;
  ALTER TABLE experiments.trace DROP CONSTRAINT trace_pkey;
  UPDATE experiments.trace SET id = trace_id;
  ALTER TABLE experiments.trace
    ADD CONSTRAINT trace_pkey PRIMARY KEY (application_id, id),
    DROP COLUMN trace_id,
    DROP COLUMN size,
    ALTER COLUMN modified_at SET NOT NULL,
    ${[
      "type",
      "is_root_child",
      "has_error",
      "steps",
      "bytes",
      "step_count",
      "total_cost",
      "total_duration_ms",
      "total_prompt_tokens",
      "total_completion_tokens",
      "pinned",
    ]
      .map((column) => `ALTER COLUMN ${column} DROP DEFAULT`)
      .join(", ")};
  CREATE UNIQUE INDEX trace_earlier ON experiments.trace (application_id, earlier_id) WHERE earlier_id IS NOT NULL;`;

const counted = {
  schema: "experiments",
  table: "trace",
  tenant: "application_id",
  times: ["created_at", "timestamp"],
  groups: [],
} as const;
