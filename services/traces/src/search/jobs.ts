// Jobs of the search index: any process may claim them; each is done and deleted in one transaction of its application.

import { defineQueue } from "@ems/kit/db/queue";
import type { RelayDatabase } from "@ems/kit/db/relay-database";

export interface Job {
  readonly applicationId: string;
  readonly id: string;
  readonly orgId: string;
  readonly traceIds: string[];
  /** For each trace, the position of its first new step. */
  readonly positions: number[];
}

const rowsMax = 256;
const bytesMax = 8 * 1024 * 1024;
/** Lease: after it, other processes claim the jobs of a process that died. */
const leaseMs = 30_000;

export const searchQueue = defineQueue<Omit<Job, "applicationId" | "id">>({
  name: "traces.search",
  table: "traces.search_job",
  due: "leased_until",
  since: "queued_at",
  order: "queued_at",
  size: { column: "bytes", max: bytesMax },
  columns: ["orgId", "traceIds", "positions"],
  fairness: "oldest",
});

/** Claims the jobs that have been due longest, grouped by application. */
export async function claimJobs(relayDatabase: RelayDatabase): Promise<Job[][]> {
  const jobs = await searchQueue.on(relayDatabase).claim({ rowsMax, leaseMs });
  return [...Map.groupBy(jobs, ({ applicationId }) => applicationId).values()];
}
