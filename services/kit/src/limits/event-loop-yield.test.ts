import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { EventLoopYield, sliceMs } from "./event-loop-yield.ts";

test("heavy work runs once per event-loop turn, round robin by application, with other work in between", async () => {
  const eventLoop = new EventLoopYield();
  const log: string[] = [];
  const heavy = (applicationId: string, name: string) => eventLoop.wait(applicationId).then(() => log.push(name));
  const other = async () => {
    for (let round = 1; round <= 2; round++) {
      await setImmediate();
      log.push(`other ${round}`);
    }
  };
  await Promise.all([heavy("a", "a1"), heavy("a", "a2"), heavy("a", "a3"), heavy("b", "b1"), other()]);
  expect(log.filter((name) => !name.startsWith("other"))).toEqual(["a1", "a2", "b1", "a3"]);
  expect(log.indexOf("other 1")).toBeLessThan(log.indexOf("b1"));
});

test("a step of heavy work waits for a turn only after its slice", async () => {
  const eventLoop = new EventLoopYield();
  let waits = 0;
  const nextTurn = setImmediate().then(() => waits++);
  await eventLoop.wait("a");
  await eventLoop.waitAfterSlice("a");
  expect(waits).toBe(0);
  for (const untilMs = performance.now() + 2 * sliceMs; performance.now() < untilMs; );
  await eventLoop.waitAfterSlice("a");
  expect(waits).toBe(1);
  await nextTurn;
});
