const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long after an attempt the next one is due. */
const waitsMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs, 12 * hourMs, 24 * hourMs];

/** How long to wait after that many attempts; undefined when no other is made: after the eighth. */
export function waitMsAfter(attempts: number): number | undefined {
  return waitsMs[attempts - 1];
}
