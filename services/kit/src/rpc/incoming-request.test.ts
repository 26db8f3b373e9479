import { expect, test } from "vitest";
import { LazySignal } from "./incoming-request.ts";

test("a signal is aborted with the first reason, whether it is read before or after", () => {
  const [before, after] = [new LazySignal(), new LazySignal()];
  const early = before.signal;
  for (const signal of [before, after]) {
    signal.abort("first");
    signal.abort("second");
  }
  expect([early.aborted, early.reason]).toEqual([true, "first"]);
  expect([after.signal.aborted, after.signal.reason]).toEqual([true, "first"]);
  expect(new LazySignal().signal.aborted).toBe(false);
});
