import { setImmediate as nextTurn } from "node:timers/promises";
import { eventLoop } from "@ems/kit/limits/event-loop-yield";
import { expect, test, vi } from "vitest";
import { mapInSlices, waitForTurn } from "./slices.ts";

test("quick items share a slice, and a long item has a slice of its own", async () => {
  const wait = vi.spyOn(eventLoop, "wait");
  const items = Array.from({ length: 500 }, (_, index) => index);
  expect(await mapInSlices("application", items, (item) => item * 2)).toEqual(items.map((item) => item * 2));
  expect(wait.mock.calls.length).toBeLessThan(100);
  wait.mockClear();
  const work = () => {
    for (const startedMs = performance.now(); performance.now() - startedMs < 20; );
  };
  await mapInSlices("application", [1, 2, 3], work);
  expect(wait).toHaveBeenCalledTimes(3);
});

test("many rows wait for a separate turn of the event loop, few rows do not wait", async () => {
  const log: string[] = [];
  const rows = (name: string, count: number) => waitForTurn("an application", count).then(() => log.push(name));
  const another = nextTurn().then(() => log.push("another request"));
  await Promise.all([rows("first", 100), rows("second", 100), rows("few", 99), another]);
  expect(log.toSorted()).toEqual(["another request", "few", "first", "second"]);
  expect(log.slice(2)).toEqual(["another request", "second"]);
});
