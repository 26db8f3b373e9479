import { expect, test } from "vitest";
import { wilson } from "./wilson.ts";

// Expected values from Python's statsmodels: proportion_confint(count, nobs, method="wilson").
test.each([
  [8, 10, 0.49016247153664183, 0.9433178485456247],
  [0, 5, 0, 0.4344824648037408],
  [5, 5, 0.5655175351962592, 1],
])("%i of %i passed", (passed, total, low, high) => {
  const interval = wilson(passed, total);
  expect(interval?.low).toBeCloseTo(low, 9);
  expect(interval?.high).toBeCloseTo(high, 9);
});

test("zero tests have no interval", () => {
  expect(wilson(0, 0)).toBeNull();
});
