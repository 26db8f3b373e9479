import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { claimed } from "../../../test/states.ts";
import type { Claimed } from "./claim.ts";
import { DeliveryScheduler } from "./scheduler.ts";

const nowMs = 1_000_000;
const noLimits = new Map<string, number>();

function deliveries(applicationId: string, count: number, failureStreak = 0): Claimed[] {
  const { webhook, ...delivery } = claimed({ applicationId, readAtMs: nowMs });
  return Array.from({ length: count }, () => ({
    ...delivery,
    id: newId(),
    webhook: webhook && { ...webhook, failureStreak },
  }));
}

function started(scheduler: DeliveryScheduler, atMs = nowMs): Claimed[] {
  const all: Claimed[] = [];
  for (let next = scheduler.next(atMs); next !== undefined; next = scheduler.next(atMs)) all.push(next);
  return all;
}

const countBy = (all: readonly Claimed[]) =>
  Object.fromEntries([...Map.groupBy(all, (each) => each.applicationId)].map(([id, each]) => [id, each.length]));

test("one endpoint runs 4 attempts at a time and all together 64, round robin", () => {
  const scheduler = new DeliveryScheduler({ total: 64, perEndpoint: 4 });
  for (let at = 0; at < 20; at++) scheduler.add(deliveries(`app-${at}`, 10), noLimits);
  const first = started(scheduler);
  expect(first).toHaveLength(64);
  const counts = Object.values(countBy(first));
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  for (const each of first) scheduler.finished(each);
  expect(started(scheduler)).toHaveLength(64);
});

test("a failing endpoint runs one attempt at a time and releases its prefetch until it succeeds", () => {
  const scheduler = new DeliveryScheduler({ total: 64, perEndpoint: 4 });
  scheduler.add(deliveries("app", 20), noLimits);
  let released: Claimed[] = [];
  for (const each of started(scheduler).concat(started(scheduler)).slice(0, 4)) {
    scheduler.finished(each);
    released = scheduler.recordAttempt("app", { durationMs: 1, hasFailed: true });
  }
  expect(released).toEqual([]);
  const [fifth, ...rest] = started(scheduler);
  if (fifth === undefined) throw new Error("nothing started");
  scheduler.finished(fifth);
  expect(scheduler.recordAttempt("app", { durationMs: 1, hasFailed: true })).toHaveLength(12);
  for (const each of rest) scheduler.finished(each);
  expect(scheduler.claimLimits(true, nowMs).get("app")).toBe(1);
  scheduler.add(deliveries("app", 5, 5), noLimits);
  expect(started(scheduler)).toHaveLength(1);
  expect(scheduler.recordAttempt("app", { durationMs: 1, hasFailed: false })).toEqual([]);
  expect(started(scheduler)).toHaveLength(3);
});

test("half of the attempts is reserved for working endpoints, however many fail", () => {
  const scheduler = new DeliveryScheduler({ total: 64, perEndpoint: 4 });
  for (let at = 0; at < 100; at++) scheduler.add(deliveries(`dead-${at}`, 1, 5), noLimits);
  expect(started(scheduler)).toHaveLength(32);
  expect(scheduler.capacity(true)).toBe(0);
  scheduler.add(deliveries("live", 4), noLimits);
  expect(countBy(started(scheduler))).toEqual({ live: 4 });
});

test("only a fast receiver has a prefetch", () => {
  const scheduler = new DeliveryScheduler({ total: 64, perEndpoint: 4 });
  const want = (durationMs: number) => {
    for (let times = 0; times < 50; times++) scheduler.recordAttempt("app", { durationMs, hasFailed: false });
    return scheduler.claimLimits(false, nowMs).get("app");
  };
  expect(want(2_000)).toBe(4);
  expect(want(20)).toBe(14);
  expect(want(1)).toBe(60);
});

test("stale deliveries are reread before they start", () => {
  const scheduler = new DeliveryScheduler({ total: 64, perEndpoint: 4 });
  const all = deliveries("app", 6);
  scheduler.add(all, noLimits);
  const laterMs = nowMs + 300;
  expect(started(scheduler, laterMs)).toEqual([]);
  expect(scheduler.hasStale(laterMs)).toBe(true);
  expect(scheduler.takeStale(laterMs)).toEqual(all);
  expect(scheduler.hasStale(laterMs)).toBe(false);
  scheduler.requeue(all.map((each) => ({ ...each, readAtMs: laterMs })));
  expect(started(scheduler, laterMs)).toHaveLength(4);
});

test("deliveries delayed behind slow attempts are released", () => {
  const scheduler = new DeliveryScheduler({ total: 64, perEndpoint: 4 });
  scheduler.add(deliveries("slow", 30), noLimits);
  expect(started(scheduler)).toHaveLength(4);
  expect(scheduler.takeDelayed(nowMs + 900)).toEqual([]);
  expect(scheduler.takeDelayed(nowMs + 1_000)).toHaveLength(26);
  expect(scheduler.claimLimits(false, nowMs).get("slow")).toBe(0);
});

test("an internal error pauses its endpoint for a second", () => {
  const scheduler = new DeliveryScheduler({ total: 64, perEndpoint: 4 });
  scheduler.add(deliveries("app", 2), noLimits);
  scheduler.pause("app", nowMs);
  expect(started(scheduler)).toEqual([]);
  expect(scheduler.claimLimits(false, nowMs).get("app")).toBe(0);
  expect(started(scheduler, nowMs + 1_000)).toEqual([]);
  expect(scheduler.takeStale(nowMs + 1_000)).toHaveLength(2);
});

test("consecutive internal errors double the pause up to five minutes; concurrent ones count as one", () => {
  const scheduler = new DeliveryScheduler({ total: 64, perEndpoint: 4 });
  let atMs = nowMs;
  const rests: number[] = [];
  for (let times = 0; times < 11; times++) {
    const restMs = scheduler.pause("app", atMs);
    expect(scheduler.pause("app", atMs + 1)).toBe(restMs - 1);
    expect([scheduler.paused(atMs), scheduler.paused(atMs + restMs)]).toEqual([["app"], []]);
    rests.push(restMs / 1_000);
    // The endpoint is remembered for long enough to continue its backoff.
    atMs += 1.2 * restMs;
    scheduler.sweep(atMs);
  }
  expect(rests).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  scheduler.recordAttempt("app", { durationMs: 1, hasFailed: false });
  expect(scheduler.pause("app", atMs)).toBe(1_000);
});

test("after a pause one delivery is attempted; resume ends a pause", () => {
  const scheduler = new DeliveryScheduler({ total: 64, perEndpoint: 4 });
  scheduler.pause("app", nowMs);
  expect(scheduler.claimLimits(false, nowMs).get("app")).toBe(0);
  scheduler.resume("app");
  expect([scheduler.paused(nowMs), scheduler.claimLimits(false, nowMs).get("app")]).toEqual([[], 1]);
  scheduler.add(deliveries("app", 6), noLimits);
  expect(started(scheduler)).toHaveLength(1);
  scheduler.recordAttempt("app", { durationMs: 1_000, hasFailed: false });
  expect(started(scheduler)).toHaveLength(3);
});

test("claimed deliveries are limited, and an idle endpoint is forgotten", () => {
  const scheduler = new DeliveryScheduler({ total: 64, perEndpoint: 4 });
  expect(scheduler.capacity(false)).toBe(256);
  scheduler.add(deliveries("app", 250), noLimits);
  expect(scheduler.capacity(false)).toBe(6);
  expect(scheduler.drain()).toHaveLength(250);
  scheduler.sweep(nowMs);
  expect(scheduler.claimLimits(false, nowMs).size).toBe(0);
});
