import { describe, expect, test } from "vitest";
import { quotient, ratio, scaled, variance } from "./numbers.ts";

describe("a number has the decimal value of its text", () => {
  test.each<[number, number, bigint, boolean]>([
    [0.1, 6, 100_000n, true],
    [-0.1, 6, -100_000n, true],
    [0.123_456_7, 6, 123_456n, false],
    [-0.123_456_7, 6, -123_457n, false],
    [1e-7, 6, 0n, false],
    [-1e-7, 6, -1n, false],
    [2.5, 0, 2n, false],
    [-2.5, 0, -3n, false],
    [1e21, 6, 10n ** 27n, true],
    [1.5e300, 0, 15n * 10n ** 299n, true],
    [0, 6, 0n, true],
  ])("%d at scale %d", (value, scale, floor, isWhole) => {
    expect(scaled(value, scale)).toEqual({ floor, isWhole });
  });
});

describe("quotients are rounded once", () => {
  test.each<[bigint, bigint, number]>([
    [1n, 3n, 1 / 3],
    [-2n, 3n, -2 / 3],
    [0n, 7n, 0],
    [10n ** 30n, 10n ** 30n, 1],
    // Two doubles are equally near, so the even one is used.
    [2n ** 53n + 1n, 1n, 2 ** 53],
    [2n ** 53n + 3n, 1n, 2 ** 53 + 4],
    [(2n ** 53n + 1n) * 10n ** 20n + 1n, 10n ** 20n, 2 ** 53 + 2],
    // Equally near to two doubles, except for a remainder after more than 40 digits.
    [(2n ** 53n + 1n) * 10n ** 60n + 1n, 10n ** 60n, 2 ** 53 + 2],
    [-(2n ** 53n + 1n) * 10n ** 60n - 1n, 10n ** 60n, -(2 ** 53) - 2],
    [(2n ** 53n + 1n) * 10n ** 60n, 10n ** 60n, 2 ** 53],
    [1n, 10n ** 400n, 0],
    [123_456_789_012_345_678_901n, 1_000_000n, 123_456_789_012_345.67],
  ])("%d / %d", (top, bottom, expected) => {
    expect(ratio(top, bottom)).toBe(expected);
  });

  test.each<[string, bigint, number, number]>([
    ["1234500", 1n, 6, 1.2345],
    ["10", 4n, 0, 2.5],
    ["-3.300", 3n, 0, -1.1],
    ["0.10000000000000000000", 1n, 0, 0.1],
    ["1e-7", 1n, 0, 1e-7],
  ])("%s / %d at scale %d", (text, divisor, scale, expected) => {
    expect(quotient(text, divisor, scale)).toBe(expected);
  });
});

test.each<[number[], number]>([
  [[1, 2], 0.5],
  [[1, 2, 3], 1],
  [[2, 4, 4, 4, 5, 5, 7, 9], 32 / 7],
  [[5, 5, 5], 0],
])("the variance of %j is %d", (values, expected) => {
  const sum = values.reduce((total, value) => total + value, 0);
  const squares = values.reduce((total, value) => total + value * value, 0);
  expect(variance(BigInt(values.length), String(sum), String(squares), 0)).toBe(expected);
  // The same values in hundredths give the same variance.
  expect(variance(BigInt(values.length), `${sum}00`, `${squares}0000`, 2)).toBe(expected);
});
