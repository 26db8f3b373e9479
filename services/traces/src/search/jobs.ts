// Jobs of the search index: claimed by any process, done and deleted in one transaction of their application.

import { defineQueue } from "@ems/kit/db/queue";
import type { RelayDatabase } from "@ems/kit/db/relay-database";

export interface Job {
  readonly applicationId: string;
  readonly id: string;
  readonly orgId: string;
  readonly traceIds: string[];
  /** Position of each trace's first new step. */
  readonly positions: number[];
}

const rowsMax = 256;
const bytesMax = 8 * 1024 * 1024;
/** Time after which other processes claim the jobs of a dead process. */
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
