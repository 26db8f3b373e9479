import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import type { Claimed } from "./claim.ts";
import { DeliveryScheduler } from "./scheduler.ts";

const nowMs = 1_000_000;
const nobody = new Map<string, number>();

function deliveries(applicationId: string, count: number, failureStreak = 0): Claimed[] {
  const webhook = { id: "hook", url: "", secret: "", previousSecret: null, previousSecretUntil: null, headers: null };
  return Array.from({ length: count }, () => ({
    ...{
      applicationId,
      id: newId(),
      orgId: "org",
      webhookId: "hook",
      type: "topic.created",
      payload: "{}",
      traceparent: null,
    },
    ...{ scheduleStep: 0, scheduleSteps: 10, leasedUntil: new Date(0), seenAtMs: nowMs },
    webhook: { ...webhook, isDisabled: false, failureStreak, modifiedAt: new Date(0) },
  }));
}

function started(lanes: DeliveryScheduler, atMs = nowMs): Claimed[] {
  const all: Claimed[] = [];
  for (let next = lanes.next(atMs); next !== undefined; next = lanes.next(atMs)) all.push(next);
  return all;
}

const countBy = (claimed: readonly Claimed[]) =>
  Object.fromEntries([...Map.groupBy(claimed, (each) => each.applicationId)].map(([id, each]) => [id, each.length]));

test("a lane runs four at a time, all lanes together sixty-four, in turns", () => {
  const lanes = new DeliveryScheduler({ running: 64, lane: 4 });
  for (let at = 0; at < 20; at++) lanes.add(deliveries(`app-${at}`, 10), nobody);
  const first = started(lanes);
  expect(first).toHaveLength(64);
  const counts = Object.values(countBy(first));
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  for (const each of first) lanes.finished(each);
  expect(started(lanes)).toHaveLength(64);
});

test("a failing lane runs one at a time and gives back what it took ahead; a success lets it go again", () => {
  const lanes = new DeliveryScheduler({ running: 64, lane: 4 });
  lanes.add(deliveries("app", 20), nobody);
  let given: Claimed[] = [];
  for (const each of started(lanes).concat(started(lanes)).slice(0, 4)) {
    lanes.finished(each);
    given = lanes.learn("app", { durationMs: 1, hasFailed: true });
  }
  expect(given).toEqual([]);
  const [fifth, ...others] = started(lanes);
  if (fifth === undefined) throw new Error("nothing started");
  lanes.finished(fifth);
  expect(lanes.learn("app", { durationMs: 1, hasFailed: true })).toHaveLength(12);
  for (const each of others) lanes.finished(each);
  expect(lanes.wants(true, nowMs).get("app")).toBe(1);
  lanes.add(deliveries("app", 5, 5), nobody);
  expect(started(lanes)).toHaveLength(1);
  expect(lanes.learn("app", { durationMs: 1, hasFailed: false })).toEqual([]);
  expect(started(lanes)).toHaveLength(3);
});

test("however many receivers fail, half of the attempts is for the others", () => {
  const lanes = new DeliveryScheduler({ running: 64, lane: 4 });
  for (let at = 0; at < 100; at++) lanes.add(deliveries(`dead-${at}`, 1, 5), nobody);
  expect(started(lanes)).toHaveLength(32);
  expect(lanes.room(true)).toBe(0);
  lanes.add(deliveries("live", 4), nobody);
  expect(countBy(started(lanes))).toEqual({ live: 4 });
});

test("only a receiver that answers fast has deliveries taken ahead", () => {
  const lanes = new DeliveryScheduler({ running: 64, lane: 4 });
  const want = (durationMs: number) => {
    for (let times = 0; times < 50; times++) lanes.learn("app", { durationMs, hasFailed: false });
    return lanes.wants(false, nowMs).get("app");
  };
  expect(want(2_000)).toBe(4);
  expect(want(20)).toBe(14);
  expect(want(1)).toBe(60);
});

test("what was read too long ago is read again before it starts", () => {
  const lanes = new DeliveryScheduler({ running: 64, lane: 4 });
  const all = deliveries("app", 6);
  lanes.add(all, nobody);
  const laterMs = nowMs + 300;
  expect(started(lanes, laterMs)).toEqual([]);
  expect(lanes.hasStale(laterMs)).toBe(true);
  expect(lanes.takeStale(laterMs)).toEqual(all);
  expect(lanes.hasStale(laterMs)).toBe(false);
  lanes.putBack(all.map((each) => ({ ...each, seenAtMs: laterMs })));
  expect(started(lanes, laterMs)).toHaveLength(4);
});

test("what waits long behind attempts that do not end is given back", () => {
  const lanes = new DeliveryScheduler({ running: 64, lane: 4 });
  lanes.add(deliveries("slow", 30), nobody);
  expect(started(lanes)).toHaveLength(4);
  expect(lanes.takeWaiting(nowMs + 900)).toEqual([]);
  expect(lanes.takeWaiting(nowMs + 1_000)).toHaveLength(26);
  expect(lanes.wants(false, nowMs).get("slow")).toBe(0);
});

test("after a fault of ours a lane rests for a second", () => {
  const lanes = new DeliveryScheduler({ running: 64, lane: 4 });
  lanes.add(deliveries("app", 2), nobody);
  lanes.pause("app", nowMs);
  expect(started(lanes)).toEqual([]);
  expect(lanes.wants(false, nowMs).get("app")).toBe(0);
  expect(started(lanes, nowMs + 1_000)).toEqual([]);
  expect(lanes.takeStale(nowMs + 1_000)).toHaveLength(2);
});

test("each fault of ours in a row doubles the rest, up to five minutes; those under way together are one", () => {
  const lanes = new DeliveryScheduler({ running: 64, lane: 4 });
  let atMs = nowMs;
  const rests: number[] = [];
  for (let times = 0; times < 11; times++) {
    const restMs = lanes.pause("app", atMs);
    expect(lanes.pause("app", atMs + 1)).toBe(restMs - 1);
    expect([lanes.paused(atMs), lanes.paused(atMs + restMs)]).toEqual([["app"], []]);
    rests.push(restMs / 1_000);
    // A lane is remembered for long enough to come back.
    atMs += 1.2 * restMs;
    lanes.sweep(atMs);
  }
  expect(rests).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  lanes.learn("app", { durationMs: 1, hasFailed: false });
  expect(lanes.pause("app", atMs)).toBe(1_000);
});

test("after a fault of ours one delivery tries; somebody who wants it now need not wait", () => {
  const lanes = new DeliveryScheduler({ running: 64, lane: 4 });
  lanes.pause("app", nowMs);
  expect(lanes.wants(false, nowMs).get("app")).toBe(0);
  lanes.resume("app");
  expect([lanes.paused(nowMs), lanes.wants(false, nowMs).get("app")]).toEqual([[], 1]);
  lanes.add(deliveries("app", 6), nobody);
  expect(started(lanes)).toHaveLength(1);
  lanes.learn("app", { durationMs: 1_000, hasFailed: false });
  expect(started(lanes)).toHaveLength(3);
});

test("deliveries in hand have a limit, and an idle lane is forgotten", () => {
  const lanes = new DeliveryScheduler({ running: 64, lane: 4 });
  expect(lanes.room(false)).toBe(256);
  lanes.add(deliveries("app", 250), nobody);
  expect(lanes.room(false)).toBe(6);
  expect(lanes.drain()).toHaveLength(250);
  lanes.sweep(nowMs);
  expect(lanes.wants(false, nowMs).size).toBe(0);
});
