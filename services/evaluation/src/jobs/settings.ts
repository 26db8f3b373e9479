import { count, milliseconds, z } from "@ems/kit/config";

export const jobSettings = {
  JOBS_CONCURRENCY: count()
    .default(64)
    .describe("Maximum number of tests that a process judges at one time; applications take turns."),
  JOBS_POLL_MS: milliseconds().min(10).default(200).describe("Interval at which a worker looks for tests to judge."),
  JOBS_LEASE_MS: milliseconds()
    .min(1_000)
    .default(120_000)
    .describe(
      "Lease of a job: time after which other workers may claim the job of a lost worker. Workers renew their leases.",
    ),
  MODEL_CALL_TIMEOUT_MS: milliseconds().min(1_000).default(120_000).describe("Timeout of a model call."),
  BUDGET_UNCERTAIN_SHARE: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe(
      "Share of uncertain spend that counts towards budgets, 0 to 1. Uncertain spend is the maximum cost of calls that were sent and not answered. At 1, a budget is a hard limit; below, real spend can exceed a budget by up to (1 - share) times the uncertain spend of its period.",
    ),
  MODEL_WINDOW_MS: milliseconds()
    .min(1_000)
    .default(60_000)
    .describe("Length of the window for the limits per minute of model connections."),
};
