// A subquery with LIMIT for each id is always planned as a look-up in the unique index. Statistics of a fast-growing
// table are outdated, and a plan based on them would read all rows of the application.

import { buildSelectList } from "@ems/kit/db/columns";
import type { Transaction } from "@ems/kit/db/transaction";
import { TraceEntity, type TraceRow } from "./entity.ts";
import { monthOfTrace } from "./queries.ts";

/** Locks the traces until commit, so that their totals remain correct. The fixed order of locks prevents deadlocks. */
export async function lockTraces(tx: Transaction, applicationId: string, ids: readonly string[]): Promise<void> {
  await tx.query(
    `SELECT FROM (SELECT id FROM unnest($2::uuid[]) AS requested (id) ORDER BY id) requested
     CROSS JOIN LATERAL (SELECT FROM traces.trace t
       WHERE t.application_id = $1 AND t.id = requested.id LIMIT 1 FOR NO KEY UPDATE) locked`,
    [applicationId, ids],
  );
}

/** Returns the application's stored traces. */
export function storedTraces(tx: Transaction, applicationId: string, ids: readonly string[]): Promise<TraceRow[]> {
  return tx.query<TraceRow>(
    `SELECT ${buildSelectList(TraceEntity, "t")} FROM unnest($2::uuid[]) AS requested (id)
     CROSS JOIN LATERAL (SELECT * FROM traces.trace t
       WHERE t.application_id = $1 AND t.id = requested.id LIMIT 1) t`,
    [applicationId, ids],
  );
}

interface StepId {
  readonly traceId: string;
  readonly id: string;
}

/** Returns the key of a step, which includes the trace, because a step's id is unique only within its trace. */
export function stepKey({ traceId, id }: StepId): string {
  return `${traceId}/${id}`;
}

/** Returns the keys of those steps that are already stored. */
export async function storedSteps(
  tx: Transaction,
  applicationId: string,
  steps: readonly StepId[],
): Promise<Set<string>> {
  if (steps.length === 0) return new Set();
  const rows = await tx.query<StepId>(
    `SELECT requested.trace_id AS "traceId", requested.id
     FROM unnest($2::uuid[], $3::uuid[]) AS requested (trace_id, id)
     CROSS JOIN LATERAL (SELECT ${monthOfTrace} AS month FROM traces.trace t
       WHERE t.application_id = $1 AND t.id = requested.trace_id LIMIT 1) t
     CROSS JOIN LATERAL (SELECT FROM traces.trace_step s
       WHERE s.application_id = $1 AND s.month = t.month AND s.trace_id = requested.trace_id AND s.id = requested.id
       LIMIT 1) stored`,
    [applicationId, steps.map(({ traceId }) => traceId), steps.map(({ id }) => id)],
  );
  return new Set(rows.map(stepKey));
}
