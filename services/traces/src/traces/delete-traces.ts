import type { Transaction } from "@ems/kit/db/transaction";
import { deleteAttachments } from "../attachments/index.ts";
import type { TraceStepRow } from "./entity.ts";
import { selectPairs } from "./filter.ts";
import { monthOfTrace } from "./queries.ts";
import { changeStepDays, stepFacts } from "./step-days/index.ts";
import { deleteEmptySessions } from "./trace-sessions.ts";

interface DeletedTrace {
  readonly orgId: string;
  readonly createdAt: Date;
  readonly sessionId: string | null;
  readonly id: string;
  readonly month: Date;
}

const found = `SELECT t.id, t.org_id AS "orgId", t.created_at AS "createdAt", t.session_id AS "sessionId", ${monthOfTrace} AS month FROM traces.trace t
  WHERE t.application_id = $1 AND t.id = ANY ($2::uuid[])`;

// The trace's current metadata contains all stored pairs, because merges only add. Searching by the full key is fast;
// searching by trace alone would scan all pairs of the application.
const metadata = `WITH known AS MATERIALIZED (
    SELECT t.id, p.pair FROM traces.trace t CROSS JOIN LATERAL (${selectPairs("t")}) p
    WHERE t.application_id = $1 AND t.id = ANY ($2::uuid[])
  ) DELETE FROM traces.trace_metadata m USING known
  WHERE m.application_id = $1 AND m.pair = known.pair AND m.trace_id = known.id`;

/** Conditions that select rows in the monthly partitions of the traces; `$3` contains the months in order. */
const byMonth = {
  trace_step: "application_id = $1 AND trace_id = ANY ($2::uuid[]) AND month = ANY ($3::timestamptz[])",
  trace_words: `application_id = $1 AND trace_id = ANY ($2::uuid[])
    AND created_at >= ($3::timestamptz[])[1] AND created_at < ($3::timestamptz[])[cardinality($3)] + interval '31 days'`,
};
const byTrace = ["log_message", "trace_settling"];
/** Tables that the archive does not have: their rows stay in PostgreSQL when their trace moves. */
const keptByMove = ["feedback", "external_evaluation"];

/** Reason of a deletion: a request, the retention period, or the move of the trace to the archive. */
export type DeletionReason = "request" | "retention" | "archive";

const facts = `SELECT s.trace_id AS "traceId", s.type, json_build_object('status', s.fields -> 'status',
    'modelId', s.fields -> 'modelId', 'durationMs', s.fields -> 'durationMs', 'usage', s.fields -> 'usage',
    'costAmount', s.fields -> 'costAmount', 'isUnpriced', s.fields -> 'isUnpriced', 'own', s.fields -> 'own') AS fields
  FROM traces.trace_step s WHERE ${byMonth.trace_step}`;

/**
 * Deletes the application's traces with their steps, words, messages, feedback, attachments and external evaluations, and
 * returns their number. The transaction must already hold the locks of the traces. Their steps leave the sums by day only
 * on request. Feedback, attachments and external evaluations stay if the traces move to the archive.
 */
export async function deleteTraces(
  tx: Transaction,
  applicationId: string,
  ids: readonly string[],
  reason: DeletionReason = "request",
): Promise<number> {
  const traces = await tx.query<DeletedTrace>(found, [applicationId, ids]);
  if (traces.length === 0) return 0;
  const months = [...new Set(traces.map(({ month }) => month.getTime()))].sort((a, b) => a - b);
  const key = [applicationId, ids];
  if (reason === "request") await subtractSteps(tx, applicationId, traces, months);
  const isMoved = reason === "archive";
  if (!isMoved) await deleteAttachments(tx, applicationId, ids);
  tx.defer(metadata, key);
  for (const [table, where] of Object.entries(byMonth)) {
    tx.defer(`DELETE FROM traces.${table} WHERE ${where}`, [...key, months.map((ms) => new Date(ms))]);
  }
  for (const table of isMoved ? byTrace : [...byTrace, ...keptByMove]) {
    tx.defer(`DELETE FROM traces.${table} WHERE application_id = $1 AND trace_id = ANY ($2::uuid[])`, key);
  }
  const deleted = await tx.query<{ id: string }>(
    "DELETE FROM traces.trace WHERE application_id = $1 AND id = ANY ($2::uuid[]) RETURNING id",
    key,
  );
  const sessions = new Set(traces.flatMap(({ sessionId }) => sessionId ?? []));
  deleteEmptySessions(tx, applicationId, [...sessions].toSorted());
  return deleted.length;
}

async function subtractSteps(
  tx: Transaction,
  applicationId: string,
  traces: readonly DeletedTrace[],
  months: readonly number[],
): Promise<void> {
  const byId = new Map(traces.map((trace) => [trace.id, trace]));
  const values = [applicationId, [...byId.keys()], months.map((ms) => new Date(ms))];
  const steps = await tx.query<Pick<TraceStepRow, "traceId" | "type" | "fields">>(facts, values);
  const changes = steps.flatMap((step) => {
    const trace = byId.get(step.traceId);
    return trace === undefined ? [] : { createdAt: trace.createdAt, before: stepFacts(step) };
  });
  const orgId = traces[0]?.orgId ?? "";
  changeStepDays(tx, { applicationId, orgId }, changes);
}
