import type { Transaction } from "@ems/kit/db/transaction";
import type { Tenant } from "@ems/kit/tenant";
import type { ErasureRow } from "../erasures/index.ts";

const insert = `INSERT INTO experiments.erasure
    (application_id, id, org_id, status, erased, due_at, created_at, modified_at, traces, trace_id)
  VALUES ($1, $2, $3, 'RUNNING', '{}', now() + $4 * interval '1 ms', $5, $5, $6, $7)`;
const insertTraces = `INSERT INTO experiments.erasure_trace (application_id, erasure_id, trace_id)
  SELECT $1, $2, traces.id FROM unnest($3::uuid[]) AS traces (id) ON CONFLICT DO NOTHING`;

interface NewDeletion {
  readonly id: string;
  readonly traceIds: readonly string[];
  readonly now: Date;
  /** Time for which the caller deletes the traces itself, before the worker continues. */
  readonly leaseMs: number;
}

/** Stores a deletion with its traces. */
export function startDeletion(
  tx: Transaction,
  { applicationId, orgId }: Pick<Tenant, "applicationId" | "orgId">,
  { id, traceIds, now, leaseMs }: NewDeletion,
  traceId: string | null = null,
): ErasureRow {
  tx.defer(insert, [applicationId, id, orgId, leaseMs, now, traceIds.length, traceId]);
  tx.defer(insertTraces, [applicationId, id, traceIds]);
  const dates = { dueAt: now, createdAt: now, modifiedAt: now, completedAt: null };
  const counts = { erased: {}, traces: traceIds.length, traceId };
  return { applicationId, id, orgId, endUserKey: null, status: "RUNNING", ...counts, ...dates };
}
