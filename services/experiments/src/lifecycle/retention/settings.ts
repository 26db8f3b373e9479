import { ConfigError, retentionDays } from "@ems/kit/config";

const dayMs = 86_400_000;

export const retentionSettings = {
  RETENTION_DAYS_RESULTS: retentionDays(7, "runs in flight, reruns and comparisons read results of the last days")
    .optional()
    .describe("Retention of tests and evaluations in days. Their sums are kept without limit. Unset: no limit."),
};

interface Settings {
  readonly RETENTION_DAYS_RESULTS?: number | undefined;
  readonly TRACE_TIMEOUT_MS: number;
}

/** Throws if retention could delete a test while it waits, up to a day for its prompt and then for its trace. */
export function checkRetention(settings: Settings): void {
  const { RETENTION_DAYS_RESULTS: results, TRACE_TIMEOUT_MS: timeoutMs } = settings;
  if (results === undefined || results * dayMs >= timeoutMs + 2 * dayMs) return;
  throw new ConfigError([
    "RETENTION_DAYS_RESULTS must be two days longer than TRACE_TIMEOUT_MS: a test that waits for its trace would be deleted",
  ]);
}
