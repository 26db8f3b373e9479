// Traces that are due to settle: claimed under a lease by any process, and deleted by the transaction that settles them.

import type { RelayDatabase } from "@ems/kit/db/relay-database";

export interface DueTrace {
  readonly applicationId: string;
  readonly orgId: string;
  readonly traceId: string;
  /** Null for live traffic. */
  readonly testId: string | null;
}

const claimMax = 100;
/** A process that dies leaves its traces to the others after this time; a trace that fails is tried again. */
const leaseMs = 30_000;

const claim = `
  WITH due AS (
    SELECT application_id, trace_id, due_at FROM experiments.trace_settling
    WHERE due_at <= now() AND leased_until < now() ORDER BY due_at LIMIT ${claimMax} FOR UPDATE SKIP LOCKED
  )
  UPDATE experiments.trace_settling s SET leased_until = now() + interval '${leaseMs} ms'
  FROM due WHERE s.application_id = due.application_id AND s.trace_id = due.trace_id
  RETURNING s.application_id AS "applicationId", s.org_id AS "orgId", s.trace_id AS "traceId", s.test_id AS "testId",
    due.due_at AS "dueAt"`;

/** Claims the traces that are due longest, by application, oldest first. */
export async function claimTraces(relayDatabase: RelayDatabase): Promise<DueTrace[][]> {
  const due = await relayDatabase.query<DueTrace & { dueAt: Date }>({ name: "claim-settling-traces", text: claim });
  due.sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || (a.traceId < b.traceId ? -1 : 1));
  return [...Map.groupBy(due, ({ applicationId }) => applicationId).values()];
}
