const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Backoff after each attempt. */
const waitsMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs, 12 * hourMs, 24 * hourMs];

/** The backoff after that many attempts; undefined after the eighth and last. */
export function backoffMs(attempts: number): number | undefined {
  return waitsMs[attempts - 1];
}
