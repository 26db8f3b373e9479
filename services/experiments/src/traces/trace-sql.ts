// Traces and steps as they are written: arrays of columns, so that a statement takes any number of rows.

import { toJson } from "@bufbuild/protobuf";
import { type Timestamp, type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { Transaction } from "@ems/kit/db/transaction";
import { dateOf } from "@ems/kit/json/timestamp";
import type { Tenant } from "@ems/kit/tenant";
import type { Trace, TraceStep } from "@ems/proto/experiments/v1/trace_service";
import { traceBytes } from "./trace-draft.ts";

/** Inserts the traces whose `traceId` is not there yet. */
export async function insertTraces(
  tx: Transaction,
  { applicationId, orgId }: Tenant,
  createdAt: Date,
  traces: readonly Trace[],
): Promise<void> {
  if (traces.length === 0) return;
  await tx.query(
    `INSERT INTO experiments.trace
       (application_id, org_id, created_at, id, trace_id, reference_id, test_id, "timestamp", metadata, size)
     SELECT $1::uuid, $2::text, $3::timestamptz, n.id, n.trace_id, n.reference_id, n.test_id, n.at, n.metadata::json, n.size
     FROM unnest($4::uuid[], $5::uuid[], $6::text[], $7::uuid[], $8::timestamptz[], $9::text[], $10::int[])
       AS n (id, trace_id, reference_id, test_id, at, metadata, size)
     ON CONFLICT (application_id, trace_id) DO NOTHING`,
    [
      ...[applicationId, orgId, createdAt],
      traces.map(({ id }) => id),
      traces.map(({ traceId }) => traceId),
      traces.map(({ referenceId }) => referenceId ?? null),
      traces.map(({ testId }) => testId ?? null),
      traces.map(({ timestamp }) => isoOf(timestamp)),
      traces.map(({ metadata }) => JSON.stringify(metadata ?? {})),
      traces.map(traceBytes),
    ],
  );
}

/** A trace as it lies in the database. */
export interface StoredTrace {
  readonly id: string;
  /** How many steps it has. */
  steps: number;
  /** What it takes of the limit, steps included. */
  bytes: number;
}

/**
 * Locks the application's traces of these `traceId`s to the end of the transaction: what is counted of them from now on stays
 * true. All requests take them in the order of ids, so that none deadlocks; requests to other traces go on.
 */
export async function lockTraces(tx: Transaction, applicationId: string, traceIds: readonly string[]): Promise<void> {
  if (traceIds.length === 0) return;
  await tx.query(
    `SELECT FROM experiments.trace t WHERE t.application_id = $1 AND t.trace_id = ANY ($2::uuid[])
     ORDER BY t.trace_id FOR NO KEY UPDATE`,
    [applicationId, [...new Set(traceIds)]],
  );
}

/** The application's traces of these `traceId`s, by them. */
export async function storedTraces(
  tx: Transaction,
  applicationId: string,
  traceIds: readonly string[],
): Promise<Map<string, StoredTrace>> {
  if (traceIds.length === 0) return new Map();
  const rows = await tx.query<StoredTrace & { traceId: string }>(
    `SELECT t.trace_id AS "traceId", t.id, count(s.id)::int AS steps, (t.size + coalesce(sum(s.size), 0))::int AS bytes
     FROM experiments.trace t
     LEFT JOIN experiments.trace_step s ON s.application_id = t.application_id AND s.trace_id = t.trace_id
     WHERE t.application_id = $1 AND t.trace_id = ANY ($2::uuid[])
     GROUP BY t.application_id, t.id`,
    [applicationId, [...new Set(traceIds)]],
  );
  return new Map(rows.map(({ traceId, ...trace }) => [traceId, trace]));
}

/** A step's key: its id is unique within its trace only. */
export function stepKey(traceId: string, id: string): string {
  return `${traceId}/${id}`;
}

/** Those of the steps that are stored, by key. */
export async function storedSteps(
  tx: Transaction,
  applicationId: string,
  asked: readonly { traceId: string; id: string }[],
): Promise<Set<string>> {
  if (asked.length === 0) return new Set();
  const rows = await tx.query<{ traceId: string; id: string }>(
    `SELECT s.trace_id AS "traceId", s.id FROM experiments.trace_step s
     WHERE s.application_id = $1 AND (s.trace_id, s.id) IN (SELECT * FROM unnest($2::uuid[], $3::uuid[]))`,
    [applicationId, asked.map(({ traceId }) => traceId), asked.map(({ id }) => id)],
  );
  return new Set(rows.map(({ traceId, id }) => stepKey(traceId, id)));
}

export interface StepToInsert {
  readonly traceId: string;
  readonly step: TraceStep;
  readonly bytes: number;
  readonly position: number;
}

/** Inserts steps; one that is stored already stays as it is. */
export async function insertSteps(
  tx: Transaction,
  applicationId: string,
  createdAt: Date,
  steps: readonly StepToInsert[],
): Promise<void> {
  if (steps.length === 0) return;
  // In the order of keys: requests that share steps wait for each other instead of locking up.
  const key = ({ traceId, step }: StepToInsert) => stepKey(traceId, step.id);
  const rows = steps.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  const each = <T>(column: (step: TraceStep) => T) => rows.map(({ step }) => column(step));
  await tx.query(
    `INSERT INTO experiments.trace_step
       (application_id, created_at, trace_id, id, parent_id, type, event, name, "timestamp", duration_ms,
        input_tokens, output_tokens, input, output, metadata, size, "position")
     SELECT $1::uuid, $2::timestamptz, n.trace_id, n.id, n.parent_id, n.type, n.event, n.name, n.at, n.duration_ms,
       n.input_tokens, n.output_tokens, n.input::json, n.output::json, n.metadata::json, n.size, n.place
     FROM unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::timestamptz[], $10::float8[],
         $11::bigint[], $12::bigint[], $13::text[], $14::text[], $15::text[], $16::int[], $17::int[])
       AS n (trace_id, id, parent_id, type, event, name, at, duration_ms, input_tokens, output_tokens, input, output,
         metadata, size, place)
     ON CONFLICT (application_id, trace_id, id) DO NOTHING`,
    [
      ...[applicationId, createdAt],
      rows.map(({ traceId }) => traceId),
      each(({ id }) => id),
      each(({ parentId }) => parentId ?? null),
      each(({ type }) => type),
      each(({ event }) => event),
      each(({ name }) => name),
      each(({ timestamp }) => isoOf(timestamp)),
      each(({ durationMs }) => durationMs ?? null),
      each(({ tokens }) => String(tokens?.input ?? 0n)),
      each(({ tokens }) => String(tokens?.output ?? 0n)),
      each(({ input }) => jsonText(input)),
      each(({ output }) => jsonText(output)),
      each(({ metadata }) => JSON.stringify(metadata ?? {})),
      rows.map(({ bytes }) => bytes),
      rows.map(({ position }) => position),
    ],
  );
}

/** null in the database says that nothing was given; the JSON null is a text. */
function jsonText(value: Value | undefined): string | null {
  return value === undefined ? null : JSON.stringify(toJson(ValueSchema, value));
}

function isoOf(timestamp: Timestamp | undefined): string {
  if (timestamp === undefined) throw new Error("What is stored has a timestamp");
  return dateOf(timestamp).toISOString();
}
