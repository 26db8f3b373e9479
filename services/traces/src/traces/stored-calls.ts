// Finds stored spans that new spans may repeat. Uses indexes of model calls, so that the cost does not depend on the
// number of steps.

import type { Transaction } from "@ems/kit/db/transaction";
import { traceStepsMax } from "@ems/proto/limits";
import {
  type CallSpan,
  type CallWithin,
  type Consumption,
  callFields,
  type OwnConsumption,
} from "./duplicate-spans.ts";
import { monthOfTrace } from "./queries.ts";
import type { StepContent } from "./step-row.ts";

export interface StoredCall extends CallSpan {
  readonly traceId: string;
  readonly month: Date;
}

type NewCall = Pick<StepContent, "id" | "parentId" | "callId" | "fields"> & { readonly traceId: string };

// LIMIT makes PostgreSQL plan an index look-up for each trace (stored.ts).
const traces = `trace AS MATERIALIZED (
    SELECT t.id, t.month FROM (SELECT DISTINCT id FROM unnest($2::uuid[]) AS requested (id)) requested
    CROSS JOIN LATERAL (SELECT t.id, ${monthOfTrace} AS month FROM traces.trace t
      WHERE t.application_id = $1 AND t.id = requested.id LIMIT 1) t)`;
const stepOfTrace = "s.application_id = $1 AND s.month = t.month AND s.trace_id = t.id";
const columns = "s.month, s.trace_id, s.id, s.parent_id, s.call_id, s.fields";

const related = `
  WITH ${traces}, parent AS MATERIALIZED (
    SELECT s.* FROM unnest($2::uuid[], $3::uuid[]) AS requested (trace_id, parent_id)
    JOIN trace t ON t.id = requested.trace_id
    CROSS JOIN LATERAL (SELECT ${columns} FROM traces.trace_step s
      WHERE ${stepOfTrace} AND s.id = requested.parent_id LIMIT 1) s
    WHERE s.call_id IS NOT NULL
  ), call AS MATERIALIZED (
    SELECT trace_id, call_id FROM unnest($2::uuid[], $4::uuid[]) AS requested (trace_id, call_id) WHERE call_id IS NOT NULL
    UNION SELECT trace_id, call_id FROM parent WHERE call_id <> id
  ), found AS (
    SELECT * FROM parent
    UNION ALL
    SELECT s.* FROM call JOIN trace t ON t.id = call.trace_id
    CROSS JOIN LATERAL (SELECT ${columns} FROM traces.trace_step s
      WHERE ${stepOfTrace} AND s.call_id = call.call_id AND s.call_id <> s.id LIMIT ${traceStepsMax}) s
  )
  SELECT s.month, s.trace_id AS "traceId", s.id, s.parent_id AS "parentId", s.call_id AS "callId",
    s.fields -> 'own' AS own, json_build_object('usage', s.fields -> 'usage', 'costAmount', s.fields -> 'costAmount') AS counted
  FROM found s`;

/** Finds the parents of the new calls, and all other spans that record the new calls or these parents. */
export async function relatedCalls(
  tx: Transaction,
  applicationId: string,
  calls: readonly NewCall[],
): Promise<StoredCall[]> {
  const named = calls.map(({ traceId, id, parentId, callId, fields }) => ({
    traceId,
    parentId: getUsage(fields) === undefined ? null : parentId,
    callId: callId === id ? null : callId,
  }));
  const requested = named.filter(({ parentId, callId }) => parentId !== null || callId !== null);
  if (requested.length === 0) return [];
  const rows = await tx.query<StoredCall>(related, [
    applicationId,
    requested.map(({ traceId }) => traceId),
    requested.map(({ parentId }) => parentId),
    requested.map(({ callId }) => callId),
  ]);
  return rows.map(({ counted: { usage, costAmount }, ...row }) => ({
    ...row,
    counted: { usage: usage ?? undefined, costAmount: costAmount ?? undefined },
  }));
}

type NewCallWithin = CallWithin & { readonly traceId: string };

const within = `
  WITH ${traces}
  SELECT s.trace_id AS "traceId", s.id, s.parent_id AS "parentId", s.call_id AS "callId", s.fields -> 'own' -> 'usage' AS usage
  FROM unnest($2::uuid[], $3::uuid[]) AS requested (trace_id, id)
  JOIN trace t ON t.id = requested.trace_id
  CROSS JOIN LATERAL (SELECT s.trace_id, s.id, s.parent_id, s.call_id, s.fields FROM traces.trace_step s
    WHERE ${stepOfTrace} AND s.parent_id = requested.id AND s.call_id IS NOT NULL LIMIT ${traceStepsMax}) s`;

/** Finds the stored calls directly within the new ones. */
export async function callsWithin(
  tx: Transaction,
  applicationId: string,
  calls: readonly NewCall[],
): Promise<NewCallWithin[]> {
  const outer = calls.filter(({ fields }) => getUsage(fields) !== undefined);
  if (outer.length === 0) return [];
  const rows = await tx.query<Omit<NewCallWithin, "usage"> & { readonly usage: CallWithin["usage"] | null }>(within, [
    applicationId,
    outer.map(({ traceId }) => traceId),
    outer.map(({ id }) => id),
  ]);
  return rows.flatMap(({ usage, ...row }) => (usage === null ? [] : { ...row, usage }));
}

/** Writes the own and counted usage of stored spans; their other fields remain unchanged, byte for byte. */
export function changeCalls(tx: Transaction, applicationId: string, calls: readonly StoredCall[]): void {
  if (calls.length === 0) return;
  tx.defer(
    `UPDATE traces.trace_step s SET fields = (
       SELECT json_object_agg(field.key, field.value) FROM (
         SELECT key, value FROM json_each(s.fields) WHERE key NOT IN ('usage', 'costAmount', 'own')
         UNION ALL SELECT key, value FROM json_each(c.fields)) field)
     FROM unnest($2::timestamptz[], $3::uuid[], $4::uuid[], $5::json[]) AS c (month, trace_id, id, fields)
     WHERE s.application_id = $1 AND s.month = c.month AND s.trace_id = c.trace_id AND s.id = c.id`,
    [
      applicationId,
      calls.map(({ month }) => month),
      calls.map(({ traceId }) => traceId),
      calls.map(({ id }) => id),
      calls.map((call) => JSON.stringify(callFields(call))),
    ],
  );
}

function getUsage({ own }: StepContent["fields"]): Consumption["usage"] {
  return (own as OwnConsumption | undefined)?.usage;
}
