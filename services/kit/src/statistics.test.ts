import fc from "fast-check";
import { describe, expect, test } from "vitest";
import golden from "./statistics.golden.json" with { type: "json" };
import { meanInterval, rateInterval, tQuantile } from "./statistics.ts";

describe("intervals equal those of statsmodels", () => {
  test.each(golden.wilson)("of $passed of $total", ({ passed, total, low, high }) => {
    const interval = rateInterval(passed, total);
    expect(Math.abs((interval?.low ?? Number.NaN) - low)).toBeLessThan(1e-9);
    expect(Math.abs((interval?.high ?? Number.NaN) - high)).toBeLessThan(1e-9);
  });

  test.each(golden.clusteredMean)("of the mean $mean", ({ mean, standardError, degreesOfFreedom, low, high }) => {
    if (standardError === null || low === null || high === null) return;
    const interval = meanInterval(mean, standardError, degreesOfFreedom);
    if (standardError === 0) return expect(interval).toBeUndefined();
    expect(Math.abs((interval?.low ?? Number.NaN) - low)).toBeLessThan(1e-9);
    expect(Math.abs((interval?.high ?? Number.NaN) - high)).toBeLessThan(1e-9);
  });
});

test.each([
  [1, 12.7062047361747],
  [2, 4.302652729749463],
  [4, 2.7764451051977987],
  [30, 2.0422724563012373],
  [100, 1.9839715185235518],
])("t of %s degrees of freedom", (degreesOfFreedom, expected) => {
  expect(Math.abs(tQuantile(degreesOfFreedom) - expected)).toBeLessThan(1e-11);
});

test("t's two computations meet, and t falls towards the normal quantile", () => {
  const values = [1, 2, 3, 10, 500, 998, 999, 1_000, 1_001, 10_000, 1e9].map(tQuantile);
  expect(values).toEqual(values.toSorted((a, b) => b - a));
  expect(tQuantile(999) - tQuantile(1_000)).toBeLessThan(3e-6);
  expect(Math.abs(tQuantile(999) + tQuantile(1_001) - 2 * tQuantile(1_000))).toBeLessThan(1e-8);
});

test("a rate's interval has the rate, lies in 0 to 1 and narrows with more of the same", () => {
  const counts = fc.integer({ min: 1, max: 5_000 }).chain((total) => fc.tuple(fc.nat(total), fc.constant(total)));
  fc.assert(
    fc.property(counts, ([passed, total]) => {
      const { low, high } = rateInterval(passed, total) ?? { low: 2, high: -1 };
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(low).toBeLessThanOrEqual(passed / total);
      expect(high).toBeGreaterThanOrEqual(passed / total);
      const more = rateInterval(2 * passed, 2 * total) ?? { low: 0, high: 1 };
      expect(more.high - more.low).toBeLessThan(high - low);
    }),
  );
});

test("none has no interval, nor has what does not vary", () => {
  expect(rateInterval(0, 0)).toBeUndefined();
  expect(meanInterval(1, 0, 5)).toBeUndefined();
  expect(meanInterval(1, 1, 0)).toBeUndefined();
});
