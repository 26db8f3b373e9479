import { expect, test } from "vitest";
import { bucketMiddle, getBucket } from "./histogram.ts";

test("the middle of a bucket is within 1 % of every number in it", () => {
  for (let value = 1e-9; value < 1e15; value *= 1.003) {
    for (const number of [value, -value]) {
      const middle = bucketMiddle(getBucket(number), false);
      expect(Math.abs(middle - number), String(number)).toBeLessThanOrEqual(0.01 * Math.abs(number));
    }
  }
});

test("whole numbers to 50 are exact, and larger ones within 1 %", () => {
  for (let number = 0; number <= 50; number++) expect(bucketMiddle(getBucket(number), true)).toBe(number);
  for (let number = 51; number < 1e15; number = Math.ceil(number * 1.003)) {
    const middle = bucketMiddle(getBucket(number), true);
    expect(Math.abs(middle - number), String(number)).toBeLessThanOrEqual(0.01 * number);
  }
});

test("buckets are in the order of their numbers", () => {
  const numbers = [-1e9, -3, -1e-9, 0, 1e-9, 1, 2.5, 1e9];
  expect(numbers.map(getBucket).toSorted((a, b) => a - b)).toEqual(numbers.map(getBucket));
});
