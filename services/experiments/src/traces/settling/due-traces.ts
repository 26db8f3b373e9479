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

// Applications take turns: each has its share of a claim, and what some leave goes to the others. The first index entry of each
// application is found by a lookup, so that a claim costs the same, however many traces settle.
const claim = `
  WITH RECURSIVE application AS (
    (SELECT s.application_id AS id FROM experiments.trace_settling s ORDER BY s.application_id LIMIT 1)
    UNION ALL
    SELECT (SELECT s.application_id FROM experiments.trace_settling s
      WHERE s.application_id > a.id ORDER BY s.application_id LIMIT 1)
    FROM application a WHERE a.id IS NOT NULL
  ), due AS MATERIALIZED (
    SELECT d.*, row_number() OVER (PARTITION BY d.application_id ORDER BY d.due_at, d.trace_id) AS turn
    FROM application a CROSS JOIN LATERAL (
      SELECT s.application_id, s.trace_id, s.due_at FROM experiments.trace_settling s
      WHERE s.application_id = a.id AND s.due_at <= now() AND s.leased_until < now()
      ORDER BY s.due_at LIMIT ${claimMax}
    ) d WHERE a.id IS NOT NULL
  ), chosen AS MATERIALIZED (
    SELECT application_id, trace_id FROM due ORDER BY turn, due_at, trace_id LIMIT ${claimMax}
  ), locked AS MATERIALIZED (
    SELECT s.application_id, s.trace_id, s.due_at FROM chosen c
    JOIN experiments.trace_settling s USING (application_id, trace_id)
    WHERE s.due_at <= now() AND s.leased_until < now() FOR UPDATE OF s SKIP LOCKED
  )
  UPDATE experiments.trace_settling s SET leased_until = now() + interval '${leaseMs} ms'
  FROM locked l WHERE s.application_id = l.application_id AND s.trace_id = l.trace_id
  RETURNING s.application_id AS "applicationId", s.org_id AS "orgId", s.trace_id AS "traceId", s.test_id AS "testId",
    l.due_at AS "dueAt"`;

/** Claims the traces that are due longest of each application, oldest first. */
export async function claimTraces(relayDatabase: RelayDatabase): Promise<DueTrace[][]> {
  const due = await relayDatabase.query<DueTrace & { dueAt: Date }>({ name: "claim-settling-traces", text: claim });
  due.sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || (a.traceId < b.traceId ? -1 : 1));
  return [...Map.groupBy(due, ({ applicationId }) => applicationId).values()];
}

const oldest = `SELECT coalesce(greatest(0, extract(epoch FROM now() - min(due_at))), 0)::float8 AS age
  FROM experiments.trace_settling`;

/** How long the trace that is due longest has been due, in seconds. */
export async function settlingLag(relayDatabase: RelayDatabase): Promise<number> {
  const [row] = await relayDatabase.query<{ age: number }>({ name: "settling-lag", text: oldest });
  return row?.age ?? 0;
}
