import { expect, test } from "vitest";
import { firstRetainedDay, reachesPast, retainedDays } from "./retained.ts";

const range = { from: "2026-10-01", to: "2026-10-30" };

test("the first fully retained day starts at or after the retention limit", () => {
  for (const since of ["2026-03-01T00:00:00.000Z", "2026-10-25T00:00:00.000Z"]) {
    const start = new Date(`${firstRetainedDay(since)}T00:00:00.000`).getTime();
    expect(start - Date.parse(since)).toBeGreaterThanOrEqual(0);
    expect(start - Date.parse(since)).toBeLessThan(86_400_000);
  }
});

test.each([
  ["a range that begins before the limit", range, "2026-10-02", true],
  ["a range that begins at the limit", range, "2026-10-01", false],
  ["a range without a beginning", { to: "2026-10-30" }, "2026-10-01", true],
  ["any range without a limit", {}, undefined, false],
])("%s", (_, days, firstDay, expected) => {
  expect(reachesPast(days, firstDay)).toBe(expected);
});

test.each([
  ["the days from the limit on", "2026-10-10", { from: "2026-10-10", to: "2026-10-30" }],
  ["all days, after the limit", "2026-09-01", range],
  ["all days, without a limit", undefined, range],
  ["the last day, before the limit", "2026-11-10", { from: "2026-10-30", to: "2026-10-30" }],
])("%s", (_, firstDay, expected) => {
  expect(retainedDays(range, firstDay)).toEqual(expected);
});
