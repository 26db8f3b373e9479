import { expect, test } from "vitest";
import { endOfPeriod, objectName, startOfHour } from "./periods.ts";
import { attemptsMax, waitMs } from "./retry.ts";

const at = (text: string) => new Date(`2026-11-${text}Z`);

test.each([
  ["30T13:00:00.000", "HOURLY", "30T14:00:00.000"],
  ["29T23:00:00.000", "HOURLY", "30T00:00:00.000"],
  ["29T00:00:00.000", "DAILY", "30T00:00:00.000"],
  ["29T13:00:00.000", "DAILY", "30T00:00:00.000"],
  ["29T23:00:00.000", "DAILY", "30T00:00:00.000"],
] as const)("a period from %s, %s, ends at %s", (start, period, end) => {
  expect(endOfPeriod(at(start), period)).toEqual(at(end));
});

test("the first period begins with the hour", () => {
  expect(startOfHour(at("30T13:59:59.999"))).toEqual(at("30T13:00:00.000"));
});

test.each([
  ["TRACES", "30T13:00", "30T14:00", 1, "traces/dt=2026-11-30/hour=13/part-0001.jsonl.gz"],
  ["TESTS", "29T23:00", "30T00:00", 12, "tests/dt=2026-11-29/hour=23/part-0012.jsonl.gz"],
  ["TRACES", "29T00:00", "30T00:00", 1, "traces/dt=2026-11-29/part-0001.jsonl.gz"],
  ["TRACES", "29T13:00", "30T00:00", 10_000, "traces/dt=2026-11-29/part-10000.jsonl.gz"],
] as const)("the object of %s from %s to %s, part %d", (dataset, start, end, part, name) => {
  expect(objectName({ dataset, periodStart: at(start), periodEnd: at(end), part })).toBe(name);
});

test("delays grow to an hour, and end after three days", () => {
  const delays = Array.from({ length: attemptsMax }, (_, at) => waitMs(at + 1));
  expect(delays.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((minutes) => minutes * 60_000));
  expect(delays.at(-1)).toBeUndefined();
  const hours = delays.reduce<number>((sum, delay) => sum + (delay ?? 0), 0) / 3_600_000;
  expect(hours).toBeGreaterThan(70);
  expect(hours).toBeLessThan(73);
});
