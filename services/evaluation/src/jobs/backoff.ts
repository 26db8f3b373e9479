// Pure: computes the delay before a job's next attempt.

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Delay after each attempt except the last. */
const waitsMs = [5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs, hourMs, 4 * hourMs, 8 * hourMs];

export const attemptsMax = waitsMs.length + 1;
/** Maximum age of a job at which it may be attempted again. */
export const ageMaxMs = 24 * hourMs;

const jitter = 0.2;

export interface Attempted {
  /** Number of attempts so far, including the one that just failed. */
  readonly attempts: number;
  readonly ageMs: number;
  readonly retryAfterMs: number | undefined;
}

/**
 * Returns the delay, which is at least as long as the provider requested; undefined if no attempt is left. `random` is
 * in [0, 1).
 */
export function backoffMs({ attempts, ageMs, retryAfterMs = 0 }: Attempted, random: number): number | undefined {
  const planned = waitsMs[attempts - 1];
  if (planned === undefined) return undefined;
  const waitMs = Math.round(
    Math.max(planned * (1 - jitter + 2 * jitter * random), retryAfterMs * (1 + jitter * random)),
  );
  return ageMs + waitMs > ageMaxMs ? undefined : waitMs;
}
