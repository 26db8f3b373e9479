import { type Clock, systemClock } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Tenant } from "@ems/kit/tenant";
import { lockTraces } from "../traces/index.ts";
import type { DueTrace } from "./due-traces.ts";

export interface SettledTrace {
  readonly traceId: string;
  readonly testId: string | null;
  /** How many it has by now: those that come later are not judged. */
  readonly steps: number;
  /** What it used by now, in US dollars and milliseconds. */
  readonly usage: {
    readonly traceCost: number;
    readonly traceInputTokens: string;
    readonly traceOutputTokens: string;
    readonly traceLatencyMs: number;
  };
}

/** Closes tests by their settled traces, the first one of a test; unknown and ended tests are unchanged. */
export type CloseTests = (
  tx: Transaction,
  tenant: Pick<Tenant, "applicationId" | "orgId">,
  now: Date,
  traces: readonly (SettledTrace & { readonly testId: string })[],
) => Promise<unknown>;

/** The longest that a transaction takes: less than the lease. */
const timeoutMs = 20_000;

/** Of a transaction that begins now, whatever the time is that it writes. */
export function deadline(): number {
  return systemClock.now().getTime() + timeoutMs;
}

/** Settles traces of one application, and closes the tests that they name. Idempotent. */
export async function settleTraces(
  {
    database,
    clock,
    closeTests,
  }: { readonly database: Database; readonly clock: Clock; readonly closeTests: CloseTests },
  due: readonly DueTrace[],
): Promise<void> {
  const [first] = due;
  if (first === undefined) return;
  await database.withScope(first, deadline(), async (tx) => {
    const settled = await endSettling(tx, first.applicationId, due);
    const closings = settled.flatMap(({ testId, ...trace }) => (testId === null ? [] : [{ testId, ...trace }]));
    if (closings.length > 0) await closeTests(tx, first, clock.now(), closings);
  });
}

/**
 * Ends the settling of those traces that are still due, in their order, and answers what they have by now. Traces are locked
 * first, as ingestion does: a request that adds a step comes before, and postpones it, or after.
 */
export async function endSettling(
  tx: Transaction,
  applicationId: Tenant["applicationId"],
  due: readonly Pick<DueTrace, "traceId">[],
): Promise<SettledTrace[]> {
  const ids = due.map(({ traceId }) => traceId);
  const [, rows] = await Promise.all([
    lockTraces(tx, applicationId, ids),
    tx.query<SettledTrace>({ name: "end-settling", text: ended, values: [applicationId, ids] }),
  ]);
  const settled = new Map(rows.map((row) => [row.traceId, row]));
  return ids.flatMap((id) => settled.get(id) ?? []);
}

const ended = `
  DELETE FROM experiments.trace_settling s USING experiments.trace t
  WHERE s.application_id = $1 AND s.trace_id = ANY ($2::uuid[]) AND s.due_at <= now()
    AND t.application_id = s.application_id AND t.id = s.trace_id
  RETURNING t.id AS "traceId", t.test_id AS "testId", t.steps, json_build_object('traceCost', t.total_cost,
    'traceInputTokens', t.total_prompt_tokens::text, 'traceOutputTokens', t.total_completion_tokens::text,
    'traceLatencyMs', coalesce(extract(epoch FROM t.ended_at - t.started_at) * 1000, 0)::float8) AS usage`;
