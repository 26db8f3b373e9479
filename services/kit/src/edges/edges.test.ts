import fc from "fast-check";
import { expect, test } from "vitest";
import { metricsText } from "../telemetry/metrics.ts";
import { edgeReader, finiteNumber, money, moneyMax, shortName, timeMs, tokenCount, tokenCountMax } from "./index.ts";

test.each([
  [0, 0],
  [-0, 0],
  [7, 7],
  [7.0, 7],
  ["7", 7],
  [" 12 ", 12],
  ["1e3", 1_000],
  [tokenCountMax, tokenCountMax],
  [tokenCountMax + 1, undefined],
  [-1, undefined],
  [1.5, undefined],
  ["1.5", undefined],
  [1e308, undefined],
  ["1e308", undefined],
  ["1e9999", undefined],
  [2 ** 63, undefined],
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  ["NaN", undefined],
  ["Infinity", undefined],
  ["0x10", undefined],
  ["", undefined],
  [" ", undefined],
  [true, undefined],
  [[7], undefined],
  [{}, undefined],
  ["1".repeat(1_000_000), undefined],
])("the count of %j is %j", (value, expected) => {
  expect(tokenCount(value)).toBe(expected);
});

test.each([
  [0.95, 0.95],
  ["0.95", 0.95],
  [0.1 + 0.2, 0.3],
  [moneyMax, moneyMax],
  [moneyMax + 1, undefined],
  [-0.01, undefined],
  [1e308, undefined],
  ["NaN", undefined],
  [Number.NaN, undefined],
  [null, undefined],
])("the money of %j is %j", (value, expected) => {
  expect(money(value)).toBe(expected);
});

test.each([
  [0, 0],
  ["2026-01-01T00:00:00Z", Date.UTC(2026, 0, 1)],
  [Date.UTC(9999, 11, 31), Date.UTC(9999, 11, 31)],
  [8.64e15, undefined],
  ["+275760-09-13T00:00:00Z", undefined],
  [-1, undefined],
  [Number.NaN, undefined],
  ["yesterday", undefined],
  [[], undefined],
])("the time of %j is %j", (value, expected) => {
  expect(timeMs(value)).toBe(expected);
});

test.each([
  ["gpt-4o", "gpt-4o"],
  ["é".repeat(255), "é".repeat(255)],
  ["x".repeat(256), undefined],
  ["x".repeat(1_000_000), undefined],
  ["a\0b", undefined],
  ["a\nb", undefined],
  ["\ud800", undefined],
  ["", undefined],
  [7, undefined],
])("the name of %j is bounded", (value, expected) => {
  expect(shortName(value)).toBe(expected);
});

test("a bigint is not a count", () => {
  expect(tokenCount(7n)).toBeUndefined();
});

test("no value causes an exception, and parsed values are within their bounds", () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true }), (value) => {
      const [tokens, cost, time, number] = [tokenCount(value), money(value), timeMs(value), finiteNumber(value)];
      shortName(value);
      expect(tokens === undefined || (Number.isSafeInteger(tokens) && tokens >= 0)).toBe(true);
      expect(cost === undefined || (cost >= 0 && cost <= moneyMax)).toBe(true);
      expect(time === undefined || new Date(time).toISOString().length === 24).toBe(true);
      expect(number === undefined || Number.isFinite(number)).toBe(true);
    }),
  );
});

test("values out of bounds are counted by sender and field; missing ones are not", async () => {
  const read = edgeReader("model");
  expect([
    read("test_field", 7, tokenCount),
    read("test_field", null, tokenCount),
    read("test_field", undefined, tokenCount),
    read("test_field", 1.5, tokenCount),
    read("test_field", "many", tokenCount),
  ]).toEqual([7, undefined, undefined, undefined, undefined]);
  expect(await metricsText()).toContain('ems_edge_unknown_values_total{source="model",field="test_field"} 2');
});
