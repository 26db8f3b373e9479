import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { CallQueue } from "./call-queue.ts";

test("a few requests begin per turn of the event loop, the others in later turns, sessions round robin", async () => {
  const queue = new CallQueue();
  const [many, few] = [{}, {}];
  const begun: string[] = [];
  for (let index = 0; index < 40; index++) queue.start(many, () => begun.push("many"));
  queue.start(few, () => begun.push("few"));
  expect(begun).toHaveLength(16);
  await setImmediate();
  expect(begun).toHaveLength(32);
  expect(begun.indexOf("few")).toBe(17);
  await setImmediate();
  expect(begun).toHaveLength(41);
  queue.start(few, () => begun.push("later"));
  await setImmediate();
  queue.start(few, () => begun.push("at once"));
  expect(begun.slice(41)).toEqual(["later", "at once"]);
});

test("queued requests of a closed session never begin", async () => {
  const queue = new CallQueue();
  const session = {};
  let begun = 0;
  for (let index = 0; index < 20; index++) queue.start(session, () => begun++);
  queue.drop(session);
  for (let turn = 0; turn < 3; turn++) await setImmediate();
  expect(begun).toBe(16);
});
