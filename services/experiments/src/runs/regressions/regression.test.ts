import { expect, test } from "vitest";
import { type Day, findRegression, hasRecovered, sumDays } from "./regression.ts";

const days = (length: number, total: number, rate: number): Day[] =>
  Array.from({ length }, () => ({ total, passed: Math.round(total * rate) }));
const quiet = days(28, 100, 0.85);

test.each<[string, Day[], boolean]>([
  ["nothing yet", [], false],
  ["no traffic", days(35, 0, 0), false],
  ["an even rate", days(35, 100, 0.85), false],
  ["a rate that rose", [...quiet, ...days(7, 100, 1)], false],
  ["one day of 0.70 after 0.85", [...quiet, ...days(1, 100, 0.7)], false],
  ["two days of 0.70 after 0.85", [...quiet, ...days(2, 100, 0.7)], true],
  ["one day of 0", [...quiet, ...days(1, 100, 0)], true],
  ["a day with too few tests", [...quiet, ...days(1, 19, 0)], false],
  ["too few days before it", [...days(9, 11, 0.85), ...days(2, 100, 0)], false],
  ["a regression that has become the norm", [...days(28, 100, 0.7), ...days(7, 100, 0.7)], false],
  ["always passing, then three failures of 500", [...days(28, 100, 1), { total: 500, passed: 497 }], false],
  ["always passing, then ten failures of 100", [...days(28, 100, 1), { total: 100, passed: 90 }], true],
  [
    "days that differ as much as this one",
    [...quiet.flatMap((_, at) => days(1, 100, at % 2 ? 1 : 0.7)), ...days(1, 100, 0.66)],
    false,
  ],
])("%s", (_, history, isRegression) => {
  expect(findRegression(history) !== undefined).toBe(isRegression);
});

test("a regression reports the recent days and the days before", () => {
  expect(findRegression([...quiet, ...days(3, 100, 0.6)])).toEqual({
    recent: { total: 300, passed: 180, days: 3 },
    before: { total: 2800, passed: 2380 },
    z: expect.closeTo(9.9, 0),
  });
});

test("it has recovered when the last days are back at the earlier rate, not while they are in between", () => {
  const before = sumDays(quiet);
  expect(hasRecovered(days(1, 100, 0.85), before)).toBe(true);
  expect(hasRecovered([...days(3, 100, 0.6), ...days(1, 100, 0.9)], before)).toBe(true);
  expect(hasRecovered(days(7, 100, 0.7), before)).toBe(false);
  expect(hasRecovered(days(4, 12, 1), before)).toBe(false);
  expect(hasRecovered([], before)).toBe(false);
});
