const minuteMs = 60_000;
const waitMaxMs = 60 * minuteMs;
/** Three days: an hour of growing delays, then one attempt an hour. */
export const attemptsMax = 77;

/** Returns the delay after that many failed attempts; undefined if the export stops. */
export function waitMs(attempts: number): number | undefined {
  if (attempts >= attemptsMax) return undefined;
  return Math.min(minuteMs * 2 ** (Math.max(1, attempts) - 1), waitMaxMs);
}
