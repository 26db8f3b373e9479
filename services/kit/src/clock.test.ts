import { expect, test } from "vitest";
import { clockFault, SystemClock } from "./clock.ts";

const hourMs = 3_600_000;
/** Simulates a machine: the test sets its clock and lets its time pass. */
function machine() {
  let elapsedMs = 5_000;
  let aheadMs = 0;
  const bootMs = Date.parse("2026-01-15T12:00:00.000Z");
  const rightMs = () => bootMs + elapsedMs;
  const clock = new SystemClock(
    () => rightMs() + aheadMs,
    () => elapsedMs,
  );
  return {
    clock,
    rightMs,
    elapse: (ms: number) => {
      elapsedMs += ms;
    },
    set: (ms: number) => {
      aheadMs = ms;
    },
    /** Compares with a reference that responds after `ms`, half of which is the request's latency. */
    compare: (ms = 2) => {
      const askedMs = elapsedMs;
      elapsedMs += ms / 2;
      const referenceMs = rightMs();
      elapsedMs += ms / 2;
      clock.compare({ referenceMs, askedMs, answeredMs: elapsedMs });
    },
  };
}

test.each([hourMs, -hourMs])("a jump by %d ms is detected at once, and dates stay right until it is undone", (ms) => {
  const { clock, compare, elapse, rightMs, set } = machine();
  compare();
  elapse(700);
  expect(clockFault(clock)).toBeUndefined();
  set(ms);
  expect(clockFault(clock)).toMatch(/^clock_skew: the clock of this process is 3600 s (ahead of|behind) /);
  expect(Math.abs(clock.now().getTime() - rightMs())).toBeLessThanOrEqual(1);
  // The jump is permanent: every comparison detects it.
  elapse(1_000);
  compare();
  expect(clockFault(clock)).toBeDefined();
  expect(Math.abs(clock.now().getTime() - rightMs())).toBeLessThanOrEqual(1);
  set(0);
  expect(clockFault(clock)).toBeUndefined();
  expect(clock.now().getTime()).toBe(rightMs());
});

test("a skew of up to a minute is tolerated; beyond a second, dates follow the reference", () => {
  const { clock, compare, rightMs, set } = machine();
  compare(0);
  set(900);
  expect(clock.now().getTime()).toBe(rightMs() + 900);
  set(59_999);
  expect([clockFault(clock), clock.now().getTime()]).toEqual([undefined, rightMs()]);
  set(60_001);
  expect(clockFault(clock)).toContain("60 s ahead of");
});

test("a response's latency does not count as skew", () => {
  const { clock, compare } = machine();
  compare(180_000);
  expect(clock.skewMs).toBe(0);
});

test("the first comparison detects a clock that was already wrong", () => {
  const { clock, compare, rightMs, set } = machine();
  set(-hourMs);
  expect(clockFault(clock)).toBeUndefined();
  compare();
  expect(clockFault(clock)).toContain("3600 s behind");
  expect(Math.abs(clock.now().getTime() - rightMs())).toBeLessThanOrEqual(1);
});

test("after the machine slept, which its monotonic clock does not count, the next comparison corrects the offset", () => {
  const { clock, compare, set } = machine();
  compare();
  set(hourMs);
  expect(clockFault(clock)).toBeDefined();
  clock.compare({ referenceMs: clock.now().getTime() + hourMs, askedMs: 5_001, answeredMs: 5_003 });
  expect(clockFault(clock)).toBeUndefined();
});
