import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clusteredMean, meanDifference } from "./means.ts";

const each = (values: readonly number[]) => values.map((value) => ({ count: 1, sum: value }));

describe("edge cases of a mean", () => {
  test.each([
    ["no values", [], undefined],
    ["one value", [3], { value: 3, degreesOfFreedom: 0, interval: undefined, p: undefined }],
    ["equal values", [0.1, 0.1, 0.1], { value: 0.1, standardError: 0, degreesOfFreedom: 2, interval: undefined, p: 0 }],
    ["zeros", [0, 0, 0], { value: 0, standardError: 0, interval: undefined, p: 1 }],
  ])("%s", (_, values, expected) => {
    const mean = clusteredMean(each(values));
    if (expected === undefined) return expect(mean).toBeUndefined();
    const { value, ...rest } = expected;
    expect(mean?.value).toBeCloseTo(value, 12);
    expect(mean).toMatchObject(rest);
  });

  test("empty clusters have no effect", () => {
    expect(clusteredMean([{ count: 0, sum: 0 }, ...each([1, 2, 4])])).toEqual(clusteredMean(each([1, 2, 4])));
  });

  test("a difference needs two values on each side", () => {
    expect(meanDifference([1], [1, 2])).toBeUndefined();
    expect(meanDifference([1, 1], [1, 1])).toMatchObject({ value: 0, standardError: 0, p: 1 });
  });
});

// The expected values were computed in Python, p by integrating the density.
test("a difference of means is Welch's", () => {
  const difference = meanDifference([0.9, 0.7, 0.8, 1, 0.4], [0.5, 0.6, 0.2, 0.7, 0.4, 0.3, 0.1]);
  expect(difference?.value).toBeCloseTo(0.36, 12);
  expect(difference?.degreesOfFreedom).toBeCloseTo(8.398860636666212, 9);
  expect(difference?.p).toBeCloseTo(0.024339122691393, 9);
});

test("repeating each value of a cluster changes neither mean nor error", () => {
  const value = fc.integer({ min: -1_000, max: 1_000 });
  fc.assert(
    fc.property(fc.array(value, { minLength: 2, maxLength: 50 }), fc.integer({ min: 2, max: 9 }), (values, times) => {
      const plain = clusteredMean(each(values));
      const repeated = clusteredMean(values.map((sum) => ({ count: times, sum: times * sum })));
      expect(repeated?.value).toBeCloseTo(plain?.value ?? Number.NaN, 9);
      expect(repeated?.standardError).toBeCloseTo(plain?.standardError ?? Number.NaN, 9);
    }),
  );
});
