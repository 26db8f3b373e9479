import type { Transaction } from "@ems/kit/db/transaction";
import type { Tenant } from "@ems/kit/tenant";

/** The steps that one request added to a trace. */
export interface Arrival {
  readonly traceId: string;
  /** Position of the first new step; all later steps are also new. */
  readonly position: number;
  /** Approximate size of the new steps in bytes. */
  readonly bytes: number;
}

const insertJob = `INSERT INTO traces.search_job (application_id, org_id, trace_ids, positions, bytes)
  VALUES ($1, $2, $3, $4, $5)`;

/** Adds one row per request, whatever its size, so that search adds little to the cost of ingestion. */
export function queueSearch(tx: Transaction, { applicationId, orgId }: Tenant, arrivals: readonly Arrival[]): void {
  if (arrivals.length === 0) return;
  const traceIds = arrivals.map(({ traceId }) => traceId);
  const positions = arrivals.map(({ position }) => position);
  const bytes = arrivals.reduce((sum, arrival) => sum + arrival.bytes, 0);
  tx.defer({ name: "queue-search", text: insertJob, values: [applicationId, orgId, traceIds, positions, bytes] });
}
