import { count, milliseconds, z } from "@ems/kit/config";

export const jobSettings = {
  JOBS_CONCURRENCY: count().default(64).describe("Tests that the process judges at one time; applications take turns."),
  JOBS_POLL_MS: milliseconds().min(10).default(200).describe("How often a worker looks for tests to be judged."),
  JOBS_LEASE_MS: milliseconds()
    .min(1_000)
    .default(120_000)
    .describe("Lease: when another worker may claim a job again whose worker is gone; workers renew it."),
  MODEL_CALL_TIMEOUT_MS: milliseconds().min(1_000).default(120_000).describe("Timeout of one call of a model."),
  BUDGET_UNCERTAIN_SHARE: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe(
      "Share of uncertain spend that counts towards budgets, 0 to 1. Uncertain are calls that were sent and not answered, at the most that they may cost. At 1 a budget is a hard limit; below, real spend can exceed a budget by up to (1 - share) times the uncertain spend of its period.",
    ),
  MODEL_WINDOW_MS: milliseconds()
    .min(1_000)
    .default(60_000)
    .describe("The window that the limits of model connections, which are for a minute, hold in."),
};
