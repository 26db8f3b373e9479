// Finds the traces of evaluations that name a response, whichever arrives first: the evaluation, or the span of the call.

import type { Transaction } from "@ems/kit/db/transaction";
import { derivedId } from "@ems/kit/id";

/** Returns the id of the model call with a response: the same in all traces. */
export function callKey(responseId: string): string {
  return derivedId("call", responseId);
}

/** Evaluations wait for concurrent spans, and spans for concurrent evaluations, so that the second sees the first. */
export function lockResponses(tx: Transaction, applicationId: string, mode: "spans" | "evaluations"): void {
  const lock = mode === "spans" ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock";
  tx.defer(`SELECT ${lock}(hashtextextended('traces.external_evaluation/' || $1, 0))`, [applicationId]);
}

interface StoredCall {
  readonly callId: string;
  readonly traceId: string;
}

// The first month is a limit for the number of partitions.
const calls = `SELECT s.call_id AS "callId", s.trace_id AS "traceId" FROM unnest($2::uuid[]) AS wanted (id)
  CROSS JOIN LATERAL (SELECT s.call_id, s.trace_id FROM traces.trace_step s
    WHERE s.application_id = $1 AND s.call_id = wanted.id AND s.call_id <> s.id
      AND s.month >= date_trunc('month', $3::timestamptz, 'UTC') - interval '2 months'
    ORDER BY s.month DESC, s.timestamp DESC, s.trace_id LIMIT 100) s`;

/** Returns the traces with the calls, newest first, by call. */
export async function findCalls(
  tx: Transaction,
  applicationId: string,
  callIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, string[]>> {
  if (callIds.length === 0) return new Map();
  const rows = await tx.query<StoredCall>(calls, [applicationId, [...new Set(callIds)], now]);
  const byCall = Map.groupBy(rows, ({ callId }) => callId);
  return new Map([...byCall].map(([callId, list]) => [callId, list.map(({ traceId }) => traceId)]));
}

const assign = `UPDATE traces.external_evaluation e SET trace_id = found.trace_id,
    call_id = CASE WHEN e.context_id IS NULL OR e.context_id = found.trace_id THEN NULL ELSE e.call_id END
  FROM (SELECT DISTINCT ON (w.id) w.id, c.trace_id FROM unnest($2::uuid[], $3::uuid[]) AS c (call_id, trace_id)
    CROSS JOIN LATERAL (SELECT w.id, w.context_id FROM traces.external_evaluation w
      WHERE w.application_id = $1 AND w.call_id = c.call_id
        AND (w.context_id IS NULL OR w.context_id = c.trace_id OR w.trace_id = w.context_id) LIMIT 1000) w
    ORDER BY w.id, (w.context_id = c.trace_id) DESC NULLS LAST, c.trace_id) found
  WHERE e.application_id = $1 AND e.id = found.id`;

/** Assigns waiting evaluations to the traces of new calls. Call it last, since it takes a lock. */
export function assignToTraces(tx: Transaction, applicationId: string, calls: readonly StoredCall[]): void {
  if (calls.length === 0) return;
  lockResponses(tx, applicationId, "spans");
  const values = [applicationId, calls.map(({ callId }) => callId), calls.map(({ traceId }) => traceId)];
  tx.defer({ name: "assign-evaluations", text: assign, values });
}
