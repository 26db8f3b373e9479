import type { Clock } from "@ems/kit/clock";

/** A clock that stands still until a test moves it. */
export function fixedClock(start = "2026-01-15T12:00:00.000Z"): Clock & { advance(ms: number): void } {
  let nowMs = Date.parse(start);
  return {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
  };
}
