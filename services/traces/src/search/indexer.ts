import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import type { Database } from "@ems/kit/db/database";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Logger } from "@ems/kit/log";
import { indexJobs } from "./index-jobs.ts";
import { claimJobs } from "./jobs.ts";

/** Polling interval. Waiting builds batches: indexing the words of many requests together is cheaper. */
const everyMs = 1_000;

/**
 * Starts the loop that indexes the words of new steps. Safe to run in several processes. `onIndexed` is called for each
 * application with new steps.
 */
export function startIndexer(
  database: Database,
  relayDatabase: RelayDatabase,
  log: Logger,
  onIndexed: (applicationId: string) => Promise<void>,
): Pick<BackgroundLoop, "stop"> {
  return startLoop({
    name: "indexing of traces",
    everyMs,
    firstAfterMs: everyMs,
    backoffMaxMs: 10 * everyMs,
    log,
    work: async () => {
      const applications = await claimJobs(relayDatabase);
      for (const jobs of applications) {
        await indexJobs(database, jobs);
        for (const { applicationId } of jobs.slice(0, 1)) await onIndexed(applicationId);
      }
      return applications.length > 0 ? "more" : "idle";
    },
  });
}
