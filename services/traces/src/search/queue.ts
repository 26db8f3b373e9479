import type { Transaction } from "@ems/kit/db/transaction";
import type { Tenant } from "@ems/kit/tenant";

/** What one request brought to a trace. */
export interface Arrival {
  readonly traceId: string;
  /** Of the first new step; those after it are new too. */
  readonly position: number;
  /** Size of the new steps, about. */
  readonly bytes: number;
}

const insertJob = `INSERT INTO traces.search_job (application_id, org_id, trace_ids, positions, bytes)
  VALUES ($1, $2, $3, $4, $5)`;

/** One row a request, whatever its size: ingestion pays no more for the search. */
export function queueSearch(tx: Transaction, { applicationId, orgId }: Tenant, arrivals: readonly Arrival[]): void {
  if (arrivals.length === 0) return;
  const traceIds = arrivals.map(({ traceId }) => traceId);
  const positions = arrivals.map(({ position }) => position);
  const bytes = arrivals.reduce((sum, arrival) => sum + arrival.bytes, 0);
  tx.defer({ name: "queue-search", text: insertJob, values: [applicationId, orgId, traceIds, positions, bytes] });
}
