import { expect, test } from "vitest";
import { decimalSum } from "./decimal.ts";

test.each<[number[], number]>([
  [[], 0],
  [[0, 0.25], 0.25],
  [[0.1, 0.2], 0.3],
  [Array(1_000).fill(0.000_001_1), 0.0011],
  [[1e-7, 2.5e-8], 1.25e-7],
  [[1e21, 1], 1e21 + 1],
  [[Number.MAX_VALUE, Number.MAX_VALUE], Number.POSITIVE_INFINITY],
])("the sum of %j is %d", (amounts, sum) => {
  expect(decimalSum(amounts)).toBe(sum);
});
