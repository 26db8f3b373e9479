import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { counter, gauge } from "@ems/kit/telemetry/metrics";

export const countCall = counter({
  name: "ems_model_requests_total",
  help: "Calls of models.",
  labels: ["outcome", "provider"],
  zeros: ["openai", "anthropic", "openai-compatible"].map((provider) => ({ outcome: "ok", provider })),
});
export const countJob = counter({
  name: "ems_evaluation_jobs_total",
  help: "Jobs that ended, and attempts that are repeated.",
  labels: ["outcome"],
  zeros: ["COMPLETED", "FAILED", "SKIPPED", "prompt", "finding", "failure"].map((outcome) => ({ outcome })),
});
const onWaiting = gauge({
  name: "ems_evaluation_jobs_waiting",
  help: "Open jobs by the reason of their wait; `turn` means due or running. Counting ends at 100,000.",
  labels: ["reason"],
});

/** Reasons why jobs wait. */
const reasons = ["turn", "rate_limit", "budget", "model_connection"];

/** Registers the gauge of waiting jobs; returns a function that removes it. */
export function watchJobs(relayDatabase: RelayDatabase): () => void {
  return onWaiting(async () => {
    const rows = await relayDatabase.query<{ reason: string; value: number }>({
      text: `SELECT reason, count(job)::int AS value FROM unnest($1::text[]) AS reason LEFT JOIN (
          SELECT true AS job, coalesce(waiting_for, 'turn') AS reason
          FROM evaluation.job WHERE next_attempt_at IS NOT NULL LIMIT 100000) AS waiting USING (reason) GROUP BY 1`,
      values: [reasons],
    });
    return rows.map(({ reason, value }) => ({ labels: { reason }, value }));
  });
}
