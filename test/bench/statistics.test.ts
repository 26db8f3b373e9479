import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { openLoop } from "./open-loop.ts";
import { median, percentile } from "./statistics.ts";

test("a median is the middle value, in any order", () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 3, 2])).toBe(3);
  expect(median([])).toBeNaN();
});

test.each([
  [50, 100, 50],
  [99, 100, 99],
  [99, 101, 100],
  [99, 50, 50],
  [100, 7, 7],
  [0, 7, 1],
])("percentile %i of 1 to %i is %i, by nearest rank", (percent, count, expected) => {
  const values = Array.from({ length: count }, (_, at) => count - at);
  expect(percentile(values, percent)).toBe(expected);
});

test("an open loop counts a stall for every call that was due meanwhile", async () => {
  const stallMs = 200;
  let stall: Promise<void> | undefined;
  const times = await openLoop(100, 0.3, () => (stall ??= delay(stallMs)));
  expect(times).toHaveLength(30);
  // Calls are 10 ms apart: the first waits for the whole stall, the eleventh for half of it.
  expect(times[0]).toBeGreaterThan(stallMs - 5);
  expect(times[10]).toBeGreaterThan(stallMs / 2 - 5);
  expect(percentile(times, 50)).toBeGreaterThan(stallMs / 4 - 5);
});

test("an open loop calls at its rate while no answer comes", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let calls = 0;
  const done = openLoop(1_000, 0.05, () => {
    calls++;
    if (calls === 50) resolve();
    return promise;
  });
  expect(await done).toHaveLength(50);
});
