// A subquery with a LIMIT for each id is planned as a lookup in the unique index, whatever the statistics say: those of a
// table that grows fast are out of date, and a plan made for them reads all of the application's rows.

import type { Transaction } from "@ems/kit/db/transaction";

export interface StoredTrace {
  readonly id: string;
  steps: number;
  /** Steps included. */
  bytes: number;
}

/** Locks the traces until commit, so that their sizes stay true. The fixed lock order prevents deadlocks. */
export async function lockTraces(tx: Transaction, applicationId: string, traceIds: readonly string[]): Promise<void> {
  await tx.query(
    `SELECT FROM (SELECT trace_id FROM unnest($2::uuid[]) AS requested (trace_id) ORDER BY trace_id) requested
     CROSS JOIN LATERAL (SELECT FROM experiments.trace t
       WHERE t.application_id = $1 AND t.trace_id = requested.trace_id LIMIT 1 FOR NO KEY UPDATE) locked`,
    [applicationId, traceIds],
  );
}

/** The application's stored traces, by `traceId`. */
export async function storedTraces(
  tx: Transaction,
  applicationId: string,
  traceIds: readonly string[],
): Promise<Map<string, StoredTrace>> {
  const rows = await tx.query<StoredTrace & { traceId: string }>(
    `SELECT t.trace_id AS "traceId", t.id, stored.steps, t.size + stored.bytes AS bytes
     FROM unnest($2::uuid[]) AS requested (trace_id)
     CROSS JOIN LATERAL (SELECT t.trace_id, t.id, t.size FROM experiments.trace t
       WHERE t.application_id = $1 AND t.trace_id = requested.trace_id LIMIT 1) t
     CROSS JOIN LATERAL (SELECT count(*)::int AS steps, coalesce(sum(s.size), 0)::int AS bytes
       FROM experiments.trace_step s WHERE s.application_id = $1 AND s.trace_id = t.trace_id) stored`,
    [applicationId, traceIds],
  );
  return new Map(rows.map(({ traceId, ...trace }) => [traceId, trace]));
}

interface StepId {
  readonly traceId: string;
  readonly id: string;
}

/** A step's id is unique within its trace only. */
export function stepKey({ traceId, id }: StepId): string {
  return `${traceId}/${id}`;
}

/** The keys of those steps that are stored. */
export async function storedSteps(
  tx: Transaction,
  applicationId: string,
  steps: readonly StepId[],
): Promise<Set<string>> {
  const rows = await tx.query<StepId>(
    `SELECT requested.trace_id AS "traceId", requested.id
     FROM unnest($2::uuid[], $3::uuid[]) AS requested (trace_id, id)
     CROSS JOIN LATERAL (SELECT FROM experiments.trace_step s
       WHERE s.application_id = $1 AND s.trace_id = requested.trace_id AND s.id = requested.id LIMIT 1) stored`,
    [applicationId, steps.map(({ traceId }) => traceId), steps.map(({ id }) => id)],
  );
  return new Set(rows.map(stepKey));
}
