// Finds stored spans that are related to new ones. Uses indexes, so that the cost does not depend on the number of steps,
// except in traces where a step that is no model call has usage.

import type { Transaction } from "@ems/kit/db/transaction";
import { traceStepsMax } from "@ems/proto/limits";
import { type Consumption, type CountedSpan, callFields, type OwnConsumption } from "./count-calls.ts";
import { readFacts } from "./detached-calls.ts";
import type { TraceRow } from "./entity.ts";
import { getMonth } from "./month.ts";
import { monthOfTrace } from "./queries.ts";
import type { StepChange, StepFacts } from "./step-days/index.ts";
import type { StepContent } from "./step-row.ts";

export interface StoredSpan extends CountedSpan {
  readonly traceId: string;
  readonly month: Date;
  readonly type: string;
  readonly status: string | null;
  readonly modelId: string | null;
}

type NewCall = Pick<StepContent, "id" | "parentId" | "callId"> & { readonly traceId: string };

// LIMIT makes PostgreSQL plan an index look-up for each trace (stored.ts).
const traces = `trace AS MATERIALIZED (
    SELECT t.id, t.month FROM (SELECT DISTINCT id FROM unnest($2::uuid[]) AS requested (id)) requested
    CROSS JOIN LATERAL (SELECT t.id, ${monthOfTrace} AS month FROM traces.trace t
      WHERE t.application_id = $1 AND t.id = requested.id LIMIT 1) t)`;

/** Selects the calls that are related to the call `r`: its parent, those within it, and those with its response id. */
const neighbors = (isChild: boolean) => {
  const look = (condition: string) => `(SELECT s.id, s.parent_id, s.call_id FROM traces.trace_step s
      WHERE s.application_id = $1 AND s.month = r.month AND s.trace_id = r.trace_id AND ${condition} LIMIT ${traceStepsMax})`;
  const parent = look("s.id = r.parent_id AND s.call_id IS NOT NULL");
  const within = look("s.parent_id = r.id AND s.parent_id IS NOT NULL AND s.call_id IS NOT NULL");
  const same = look("r.call_id <> r.id AND s.call_id = r.call_id AND s.call_id <> s.id");
  return `SELECT r.month, r.trace_id, s.id, s.parent_id, s.call_id FROM ${isChild ? "found" : "requested"} r
    CROSS JOIN LATERAL (${parent} UNION ALL ${within} UNION ALL ${same}) s`;
};

const columns = `s.month, s.trace_id AS "traceId", s.id, s.parent_id AS "parentId", s.call_id AS "callId",
    s.type, s.fields ->> 'status' AS status, s.fields ->> 'modelId' AS "modelId",
    s."timestamp", (s.fields ->> 'endTime')::float8 AS "endTime",
    CASE WHEN s.call_id IS NOT NULL THEN s.fields -> 'own' END AS own,
    CASE WHEN s.call_id IS NOT NULL THEN s.fields -> 'usage' END AS usage,
    CASE WHEN s.call_id IS NOT NULL THEN s.fields -> 'costAmount' END AS "costAmount",
    CASE WHEN s.call_id IS NOT NULL THEN s.fields -> 'isUnpriced' END AS "isUnpriced"`;

const related = `
  WITH RECURSIVE ${traces}, requested AS MATERIALIZED (
    SELECT t.month, v.trace_id, v.id, v.parent_id, v.call_id
    FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[]) AS v (trace_id, id, parent_id, call_id)
    JOIN trace t ON t.id = v.trace_id
  ), found AS (${neighbors(false)} UNION ${neighbors(true)})
  SELECT ${columns} FROM found f
  CROSS JOIN LATERAL (SELECT * FROM traces.trace_step s
    WHERE s.application_id = $1 AND s.month = f.month AND s.trace_id = f.trace_id AND s.id = f.id LIMIT 1) s`;

type FoundSpan = Omit<StoredSpan, "own" | "counted"> & {
  readonly own: OwnConsumption | null;
  readonly usage: Consumption["usage"] | null;
  readonly costAmount: number | null;
  readonly isUnpriced: boolean | null;
  readonly timestamp: Date;
  readonly endTime: number | null;
};

/** Finds the calls that are related to new calls, directly or through others. */
export async function spansRelatedTo(
  tx: Transaction,
  applicationId: string,
  calls: readonly NewCall[],
): Promise<StoredSpan[]> {
  if (calls.length === 0) return [];
  const rows = await tx.query<FoundSpan>(related, [
    applicationId,
    calls.map(({ traceId }) => traceId),
    calls.map(({ id }) => id),
    calls.map(({ parentId }) => parentId),
    calls.map(({ callId }) => callId),
  ]);
  return rows.map(toSpan);
}

const whole = `SELECT ${columns} FROM unnest($2::uuid[], $3::timestamptz[]) AS t (id, month)
  CROSS JOIN LATERAL (SELECT * FROM traces.trace_step s
    WHERE s.application_id = $1 AND s.month = t.month AND s.trace_id = t.id LIMIT ${traceStepsMax}) s`;

/** Returns all steps of the traces. */
export async function spansOfTraces(
  tx: Transaction,
  applicationId: string,
  rows: readonly Pick<TraceRow, "id" | "createdAt">[],
): Promise<StoredSpan[]> {
  if (rows.length === 0) return [];
  const values = [applicationId, rows.map(({ id }) => id), rows.map(({ createdAt }) => getMonth(createdAt))];
  return (await tx.query<FoundSpan>(whole, values)).map(toSpan);
}

const priced = `SELECT s.month, s.trace_id AS "traceId", s.id, s.parent_id AS "parentId", s.call_id AS "callId",
    s.fields -> 'own' AS own, s.fields -> 'usage' AS usage, s.fields -> 'costAmount' AS "costAmount",
    s.fields -> 'isUnpriced' AS "isUnpriced", s.type, s.fields ->> 'status' AS status,
    s.fields ->> 'modelId' AS "modelId", s."timestamp", (s.fields ->> 'endTime')::float8 AS "endTime"
  FROM unnest($2::uuid[], $3::timestamptz[]) AS t (id, month)
  CROSS JOIN LATERAL (SELECT * FROM traces.trace_step s
    WHERE s.application_id = $1 AND s.month = t.month AND s.trace_id = t.id LIMIT ${traceStepsMax}) s`;

/** Returns all steps of the traces with the facts that their prices depend on. */
export async function readPricedSpans(
  tx: Transaction,
  applicationId: string,
  rows: readonly Pick<TraceRow, "id" | "createdAt">[],
): Promise<(StoredSpan & { readonly timestamp: Date })[]> {
  const values = [applicationId, rows.map(({ id }) => id), rows.map(({ createdAt }) => getMonth(createdAt))];
  return (await tx.query<FoundSpan>(priced, values)).map((span) => ({ ...toSpan(span), timestamp: span.timestamp }));
}

function toSpan({ own, usage, costAmount, isUnpriced, timestamp, endTime, ...span }: FoundSpan): StoredSpan {
  const counted = {
    usage: usage ?? undefined,
    costAmount: costAmount ?? undefined,
    ...(isUnpriced === true && { isUnpriced }),
  };
  return { ...span, own: own ?? {}, counted, ...readFacts(timestamp, endTime, span.modelId) };
}

/** Returns the facts of a stored span that sums by day depend on, but its duration, which does not change. */
function spanFacts({ type, status, modelId, own, counted }: StoredSpan): StepFacts {
  return { type, status: status ?? "success", model: modelId ?? "", provider: own.provider ?? "", ...counted };
}

/** Returns the changes of sums by day that follow from changed usage of stored spans. */
export function countedChanges(
  createdAt: Date,
  before: readonly StoredSpan[],
  changed: readonly StoredSpan[],
): StepChange[] {
  const earlier = new Map(before.map((span) => [span.id, span]));
  return changed.flatMap((span) => {
    const stored = earlier.get(span.id);
    return stored === undefined ? [] : { createdAt, before: spanFacts(stored), after: spanFacts(span) };
  });
}

/** Writes the own and counted usage of stored spans; their other fields remain unchanged, byte for byte. */
export function changeCounted(tx: Transaction, applicationId: string, spans: readonly StoredSpan[]): void {
  if (spans.length === 0) return;
  tx.defer(
    `UPDATE traces.trace_step s SET fields = (
       SELECT json_object_agg(field.key, field.value) FROM (
         SELECT key, value FROM json_each(s.fields) WHERE key NOT IN ('usage', 'costAmount', 'isUnpriced', 'own')
         UNION ALL SELECT key, value FROM json_each(c.fields)) field)
     FROM unnest($2::timestamptz[], $3::uuid[], $4::uuid[], $5::json[]) AS c (month, trace_id, id, fields)
     WHERE s.application_id = $1 AND s.month = c.month AND s.trace_id = c.trace_id AND s.id = c.id`,
    [
      applicationId,
      spans.map(({ month }) => month),
      spans.map(({ traceId }) => traceId),
      spans.map(({ id }) => id),
      spans.map(({ own, counted }) => JSON.stringify({ ...callFields(counted), own })),
    ],
  );
}
