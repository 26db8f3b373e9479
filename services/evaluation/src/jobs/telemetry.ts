import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { cached } from "@ems/kit/telemetry/cached";
import { counter, gauge } from "@ems/kit/telemetry/metrics";

export const countCall = counter({
  name: "ems_model_requests_total",
  help: "Calls of models.",
  labels: ["outcome", "provider"],
});
export const countJob = counter({
  name: "ems_evaluation_jobs_total",
  help: "Jobs that ended, and attempts that are made again.",
  labels: ["outcome"],
});
const onWaiting = gauge({
  name: "ems_evaluation_jobs_waiting",
  help: "Jobs that have not ended, by what they wait for; `turn` are due or worked on. Counting ends at 100,000.",
  labels: ["reason"],
});

/** Scrapes within this time share a query. */
const cacheMs = 1_000;

/** Registers the gauge; answers how to remove it. */
export function watchJobs(relayDatabase: RelayDatabase): () => void {
  const read = cached(cacheMs, () =>
    relayDatabase.query<{ reason: string; value: number }>({
      text: `SELECT coalesce(waiting_for, 'turn') AS reason, count(*)::int AS value
        FROM (SELECT waiting_for FROM evaluation.job WHERE next_attempt_at IS NOT NULL LIMIT 100000) AS waiting GROUP BY 1`,
    }),
  );
  return onWaiting(async () => (await read()).map(({ reason, value }) => ({ labels: { reason }, value })));
}
