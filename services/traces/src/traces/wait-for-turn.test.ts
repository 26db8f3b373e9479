import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { waitForTurn } from "./wait-for-turn.ts";

test("many rows have a turn of the event loop of their own, few wait for none", async () => {
  const log: string[] = [];
  const rows = (name: string, count: number) => waitForTurn("an application", count).then(() => log.push(name));
  const another = nextTurn().then(() => log.push("another request"));
  await Promise.all([rows("first", 100), rows("second", 100), rows("few", 99), another]);
  expect(log.toSorted()).toEqual(["another request", "few", "first", "second"]);
  expect(log.slice(2)).toEqual(["another request", "second"]);
});
