import fc from "fast-check";
import { expect, test } from "vitest";
import { retryAfterMs, schedule, waitMs } from "./schedule.ts";

const hour = 3_600_000;

test("there are ten attempts", () => {
  expect(schedule).toHaveLength(10);
});

test.each([
  [1, 5_000],
  [2, 300_000],
  [3, 1_800_000],
  [4, 2 * hour],
  [5, 5 * hour],
  [6, 10 * hour],
  [7, 14 * hour],
  [8, 20 * hour],
  [9, 24 * hour],
])("after %i attempts the next is due in %i ms, a fifth less or more", (step, planned) => {
  expect(waitMs({ step, random: 0.5 })).toBe(planned);
  expect(waitMs({ step, random: 0 })).toBe(planned * 0.8);
  expect(waitMs({ step, random: 0.999999999 })).toBe(planned * 1.2);
});

test.each([
  [0, 5_000],
  [4_000, 5_000],
  [7_000, 7_000],
  [10_000, 10_000],
  [10_001, 10_000],
  [1e12, 10_000],
])("a receiver that asks for %i ms instead of 5,000 gets %i", (retryAfter, waited) => {
  expect(waitMs({ step: 1, random: 0.5, retryAfterMs: retryAfter })).toBe(waited);
});

test("Retry-After never shortens a delay, nor more than doubles it", () => {
  const cases = fc.record({
    step: fc.integer({ min: 1, max: 20 }),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    retryAfterMs: fc.nat(),
  });
  fc.assert(
    fc.property(cases, (waited) => {
      const planned = waitMs({ step: waited.step, random: waited.random });
      expect(waitMs(waited)).toBeGreaterThanOrEqual(planned);
      expect(waitMs(waited)).toBeLessThanOrEqual(2 * planned + 1);
    }),
  );
});

const now = new Date("2026-01-15T12:00:00.000Z");

test.each([
  [429, "120", 120_000],
  [503, " 7 ", 7_000],
  [503, "0", 0],
  [429, "Thu, 15 Jan 2026 12:01:00 GMT", 60_000],
  [503, "Thursday, 15-Jan-26 12:01:00 GMT", 60_000],
  [429, "Thu, 15 Jan 2026 11:00:00 GMT", 0],
  [429, undefined, undefined],
  [429, "", undefined],
  [429, "soon", undefined],
  [429, "-5", undefined],
  [429, "1.5", undefined],
  [429, "2026-01-15", undefined],
  [500, "120", undefined],
  [200, "120", undefined],
])("status %i with Retry-After %j asks for %j ms", (status, header, expected) => {
  expect(retryAfterMs(status, header, now)).toBe(expected);
});
