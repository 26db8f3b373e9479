import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

test("a few requests begin in a turn of the event loop, the others in later ones, sessions round robin", async () => {
  const turns = new Turns();
  const [many, few] = [{}, {}];
  const begun: string[] = [];
  for (let index = 0; index < 40; index++) turns.take(many, () => begun.push("many"));
  turns.take(few, () => begun.push("few"));
  expect(begun).toHaveLength(16);
  await setImmediate();
  expect(begun).toHaveLength(32);
  expect(begun.indexOf("few")).toBe(17);
  await setImmediate();
  expect(begun).toHaveLength(41);
  turns.take(few, () => begun.push("later"));
  await setImmediate();
  turns.take(few, () => begun.push("at once"));
  expect(begun.slice(41)).toEqual(["later", "at once"]);
});

test("what waits for a session that has ended never begins", async () => {
  const turns = new Turns();
  const session = {};
  let begun = 0;
  for (let index = 0; index < 20; index++) turns.take(session, () => begun++);
  turns.drop(session);
  for (let turn = 0; turn < 3; turn++) await setImmediate();
  expect(begun).toBe(16);
});
