import { eventLoop } from "@ems/kit/limits/event-loop-yield";
import { expect, test, vi } from "vitest";
import { mapInSlices } from "./slices.ts";

test("quick items share a slice, and long ones get a turn each", async () => {
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
