import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import type { Database } from "@ems/kit/db/database";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Logger } from "@ems/kit/log";
import { cached } from "@ems/kit/telemetry/cached";
import { gauge } from "@ems/kit/telemetry/metrics";
import { indexJobs } from "./index-jobs.ts";
import { claimJobs, indexLag } from "./jobs.ts";

/** Batches are made by waiting: an index takes the words of many requests at less cost than those of each. */
const everyMs = 1_000;

const onLag = gauge({
  name: "ems_trace_search_lag_seconds",
  help: "How long the oldest request whose steps the search does not find yet has been waiting; 0 when none is.",
  labels: [],
});
const cacheMs = 1_000;

/** Indexes the words of new steps, beside other processes; answers how to stop. */
export function startIndexer(
  database: Database,
  relayDatabase: RelayDatabase,
  log: Logger,
): Pick<BackgroundLoop, "stop"> {
  const read = cached(cacheMs, () => indexLag(relayDatabase));
  const stopWatching = onLag(async () => [{ labels: {}, value: await read() }]);
  const loop = startLoop({
    name: "indexing of traces",
    everyMs,
    firstAfterMs: everyMs,
    backoffMaxMs: 10 * everyMs,
    log,
    work: async () => {
      const applications = await claimJobs(relayDatabase);
      for (const jobs of applications) await indexJobs(database, jobs);
      return applications.length > 0 ? "more" : "idle";
    },
  });
  return {
    stop: async () => {
      stopWatching();
      await loop.stop();
    },
  };
}
