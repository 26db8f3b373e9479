import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { cached } from "@ems/kit/telemetry/cached";
import { counter, gauge } from "@ems/kit/telemetry/metrics";

export const countCall = counter({
  name: "ems_model_requests_total",
  help: "Calls of models.",
  labels: ["outcome", "provider"],
  zeros: ["openai", "anthropic", "openai-compatible"].map((provider) => ({ outcome: "ok", provider })),
});
export const countJob = counter({
  name: "ems_evaluation_jobs_total",
  help: "Jobs that ended, and attempts that are made again.",
  labels: ["outcome"],
  zeros: ["COMPLETED", "FAILED", "SKIPPED", "prompt", "finding", "failure"].map((outcome) => ({ outcome })),
});
const onWaiting = gauge({
  name: "ems_evaluation_jobs_waiting",
  help: "Jobs that have not ended, by what they wait for; `turn` are due or worked on. Counting ends at 100,000.",
  labels: ["reason"],
});
const onOldestDue = gauge({
  name: "ems_evaluation_jobs_oldest_due_age_seconds",
  help: "How long the job that is due longest, and that nobody works on, has been due; 0 when none is.",
  labels: [],
});

/** What jobs wait for. */
const reasons = ["turn", "rate_limit", "budget", "model_connection"];

/** Scrapes within this time share a query. */
const cacheMs = 1_000;

interface Waiting {
  readonly reason: string;
  readonly value: number;
  readonly age: number;
}

/** Registers the gauges; answers how to remove them. */
export function watchJobs(relayDatabase: RelayDatabase): () => void {
  const read = cached(cacheMs, () =>
    relayDatabase.query<Waiting>({
      text: `SELECT reason, count(job)::int AS value, coalesce(greatest(0, extract(epoch FROM now() - min(due))), 0)::float8 AS age
        FROM unnest($1::text[]) AS reason LEFT JOIN (
          SELECT true AS job, coalesce(waiting_for, 'turn') AS reason,
            CASE WHEN leased_until IS NULL OR leased_until < now() THEN next_attempt_at END AS due
          FROM evaluation.job WHERE next_attempt_at IS NOT NULL LIMIT 100000) AS waiting USING (reason) GROUP BY 1`,
      values: [reasons],
    }),
  );
  const stops = [
    onWaiting(async () => (await read()).map(({ reason, value }) => ({ labels: { reason }, value }))),
    onOldestDue(async () => [{ labels: {}, value: Math.max(0, ...(await read()).map(({ age }) => age)) }]),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
