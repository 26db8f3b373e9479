import fc from "fast-check";
import { expect, test } from "vitest";
import { tQuantile, twoSidedP } from "./student-t.ts";

test.each([
  [1, 12.7062047361747],
  [2, 4.302652729749463],
  [4, 2.7764451051977987],
  [30, 2.0422724563012373],
  [100, 1.9839715185235518],
])("t of %s degrees of freedom", (degreesOfFreedom, expected) => {
  expect(Math.abs(tQuantile(degreesOfFreedom) - expected)).toBeLessThan(1e-11);
});

test("the two computations of t agree, and t decreases towards the normal quantile", () => {
  const values = [1, 2, 3, 10, 500, 998, 999, 1_000, 1_001, 10_000, 1e9].map(tQuantile);
  expect(values).toEqual(values.toSorted((a, b) => b - a));
  expect(tQuantile(999) - tQuantile(1_000)).toBeLessThan(3e-6);
  expect(Math.abs(tQuantile(999) + tQuantile(1_001) - 2 * tQuantile(1_000))).toBeLessThan(1e-8);
});

// The expected values are from the closed forms for 1 and 5 degrees of freedom.
test.each([
  [0, 3, 1],
  [1e-9, 5, 0.9999999992407866],
  [2, 1, 0.29516723530086647],
])("p of %s at %s degrees of freedom", (t, degreesOfFreedom, expected) => {
  expect(Math.abs(twoSidedP(t, degreesOfFreedom) - expected)).toBeLessThan(1e-12);
});

test("p decreases with t, is symmetric, and is 5 % at the quantile, also for fractional degrees of freedom", () => {
  const degrees = fc.double({ min: 1, max: 20_000, noNaN: true });
  fc.assert(
    fc.property(degrees, fc.double({ min: 0, max: 40, noNaN: true }), (degreesOfFreedom, t) => {
      const p = twoSidedP(t, degreesOfFreedom);
      expect(p).toBeGreaterThanOrEqual(0);
      expect(p).toBeLessThanOrEqual(1 + 1e-12);
      expect(twoSidedP(-t, degreesOfFreedom)).toBe(p);
      expect(twoSidedP(t + 0.01, degreesOfFreedom)).toBeLessThanOrEqual(p);
      expect(Math.abs(twoSidedP(tQuantile(degreesOfFreedom), degreesOfFreedom) - 0.05)).toBeLessThan(1e-10);
    }),
  );
});
