import type { Clock } from "@ems/kit/clock";
import { vi } from "vitest";

/** A clock that a test advances. */
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

type Faked = "Date" | "performance" | "setInterval" | "clearInterval" | "setTimeout" | "clearTimeout";

/**
 * Stops the monotonic clock, and `others` of the process's clocks and timers, until `vi.useRealTimers()`; `vi.advanceTimersByTime`
 * advances them. They start at the present: a monotonic clock that falls back to 0 would look like a jump of the machine's clock.
 */
export function stopClock(...further: readonly Faked[]): void {
  const [elapsedMs, wallMs] = [performance.now(), Date.now()];
  vi.useFakeTimers({ toFake: ["performance", ...further] });
  vi.advanceTimersByTime(elapsedMs);
  if (further.includes("Date")) vi.setSystemTime(wallMs);
}
