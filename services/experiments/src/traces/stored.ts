import type { Transaction } from "@ems/kit/db/transaction";

export interface StoredTrace {
  readonly id: string;
  steps: number;
  /** Steps included. */
  bytes: number;
}

/** Locks the traces until commit, so that their sizes stay true. The fixed lock order prevents deadlocks. */
export async function lockTraces(tx: Transaction, applicationId: string, traceIds: readonly string[]): Promise<void> {
  if (traceIds.length === 0) return;
  await tx.query(
    `SELECT FROM experiments.trace t WHERE t.application_id = $1 AND t.trace_id = ANY ($2::uuid[])
     ORDER BY t.trace_id FOR NO KEY UPDATE`,
    [applicationId, [...new Set(traceIds)]],
  );
}

/** The application's stored traces, by `traceId`. */
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
  if (steps.length === 0) return new Set();
  const rows = await tx.query<StepId>(
    `SELECT s.trace_id AS "traceId", s.id FROM experiments.trace_step s
     WHERE s.application_id = $1 AND (s.trace_id, s.id) IN (SELECT * FROM unnest($2::uuid[], $3::uuid[]))`,
    [applicationId, steps.map(({ traceId }) => traceId), steps.map(({ id }) => id)],
  );
  return new Set(rows.map(stepKey));
}
