import { deliveryDelaysMs } from "@ems/proto/limits";
import fc from "fast-check";
import { expect, test } from "vitest";
import { after, attempt, claimed, now } from "../../../test/states.ts";
import type { Claimed } from "./claim.ts";
import { type NextState, nextState, summarizeHealth, waitMs, withoutAttempt } from "./next-state.ts";
import { type Outcome, type OwnFault, retryAfterMs } from "./outcome.ts";
import type { Attempt } from "./send.ts";

test.each<[string, Partial<Claimed>, Attempt, Partial<NextState>]>([
  ["delivered", {}, attempt("DELIVERED"), { status: "DELIVERED", nextAttemptAt: null, scheduleStep: 1 }],
  ["refused", {}, attempt("HTTP_STATUS"), { status: "PENDING", nextAttemptAt: after(5_000), scheduleStep: 1 }],
  ["refused twice", { scheduleStep: 1 }, attempt("TIMEOUT"), { status: "PENDING", nextAttemptAt: after(300_000) }],
  ["deferred by Retry-After", {}, attempt("HTTP_STATUS", 8_000), { status: "PENDING", nextAttemptAt: after(8_000) }],
  ["refused for the last time", { scheduleStep: 9 }, attempt("REDIRECT"), { status: "FAILED", nextAttemptAt: null }],
  ["a test that was refused", { scheduleSteps: 1 }, attempt("GONE"), { status: "FAILED", nextAttemptAt: null }],
])("a delivery that is %s", (_, overrides, made, expected) => {
  const delivery = claimed(overrides);
  expect(nextState(delivery, made, { now, random: 0.5 })).toMatchObject({
    claimed: delivery,
    attempt: made,
    ...expected,
  });
});

test.each<[OwnFault, number, Partial<NextState>]>([
  ["RESOLVER", 0, { outcome: "RESOLVER", nextAttemptAt: after(5_000) }],
  ["RESOLVER", 64_000, { outcome: "RESOLVER", nextAttemptAt: after(64_000) }],
  ["LOCAL", 1_000, { outcome: "LOCAL", nextAttemptAt: after(5_000) }],
  // Nothing changes, so the worker that claims the delivery next continues immediately.
  ["SHUTDOWN", 1_000, { outcome: null, nextAttemptAt: null }],
])("an internal error, %s, does not count; its endpoint is paused for %i ms", (fault, pauseMs, expected) => {
  const delivery = claimed({ scheduleStep: 9 });
  expect(nextState(delivery, { counts: false, fault }, { now, random: 0.5, pauseMs })).toMatchObject({
    status: "PENDING",
    scheduleStep: 9,
    attempt: null,
    ...expected,
  });
});

test("a test fails on an internal error, unless the process stops", () => {
  const made = (fault: OwnFault) =>
    nextState(claimed({ type: "webhook.test", scheduleSteps: 1 }), { counts: false, fault }, { now, random: 0.5 });
  const over = { status: "FAILED", outcome: "RESOLVER", nextAttemptAt: null, attempt: null };
  expect(made("RESOLVER")).toMatchObject(over);
  expect(made("SHUTDOWN")).toMatchObject({ status: "PENDING", nextAttemptAt: null });
});

const { webhook } = claimed();
const disabled = webhook && { ...webhook, isDisabled: true };

test.each<[string, Partial<Claimed>, Partial<NextState> | undefined]>([
  ["an enabled webhook", {}, undefined],
  ["no webhook", { webhook: null }, { status: "CANCELLED", outcome: null }],
  ["another webhook", { webhookId: "before" }, { status: "CANCELLED", outcome: null }],
  ["a disabled webhook", { webhook: disabled }, { status: "FAILED", outcome: "DISABLED" }],
  ["a disabled webhook that is tested", { webhook: disabled, type: "webhook.test" }, undefined],
])("a delivery that has %s", (_, overrides, expected) => {
  const state = withoutAttempt(claimed(overrides));
  if (expected === undefined) expect(state).toBeUndefined();
  else expect(state).toMatchObject({ attempt: null, nextAttemptAt: null, ...expected });
});

test("a webhook's health is its failures since the last success, and whether it is gone", () => {
  const states = (...outcomes: Outcome[]) =>
    outcomes.map((outcome) => nextState(claimed(), attempt(outcome), { now, random: 0.5 }));
  expect(summarizeHealth(states("TIMEOUT", "DELIVERED"))).toMatchObject([{ hasSucceeded: true, failures: 0 }]);
  expect(summarizeHealth(states("DELIVERED", "TIMEOUT", "HTTP_STATUS"))).toMatchObject([
    { hasSucceeded: true, failures: 2, firstFailureAt: now, isGone: false },
  ]);
  expect(summarizeHealth(states("TIMEOUT"))).toMatchObject([{ hasSucceeded: false, failures: 1 }]);
  expect(summarizeHealth(states("GONE", "DELIVERED"))).toMatchObject([{ isGone: true }]);
  expect(summarizeHealth([nextState(claimed(), { counts: false, fault: "RESOLVER" }, { now, random: 0 })])).toEqual([]);
});

test("a webhook changed during a batch has two entries", () => {
  const changed = webhook && { ...webhook, url: "https://other.example.com/" };
  const states = [claimed(), claimed({ webhook: changed })].map((each) =>
    nextState(each, attempt("GONE"), { now, random: 0.5 }),
  );
  expect(summarizeHealth(states)).toHaveLength(2);
});
const hour = 3_600_000;

test("the schedule has ten attempts", () => {
  expect(deliveryDelaysMs).toHaveLength(10);
});

test.each([
  [1, 5_000],
  [2, 300_000],
  [3, 1_800_000],
  [4, 2 * hour],
  [5, 5 * hour],
  [6, 10 * hour],
  [7, 14 * hour],
  [8, 20 * hour],
  [9, 24 * hour],
])("after %i attempts the next is due in %i ms, up to 20 % less or more", (step, planned) => {
  expect(waitMs({ step, random: 0.5 })).toBe(planned);
  expect(waitMs({ step, random: 0 })).toBe(planned * 0.8);
  expect(waitMs({ step, random: 0.999999999 })).toBe(planned * 1.2);
});

test.each([
  [0, 5_000],
  [4_000, 5_000],
  [7_000, 7_000],
  [10_000, 10_000],
  [10_001, 10_000],
  [1e12, 10_000],
])("a receiver that requests %i ms instead of 5,000 gets %i", (retryAfter, waited) => {
  expect(waitMs({ step: 1, random: 0.5, retryAfterMs: retryAfter })).toBe(waited);
});

test("Retry-After never shortens a delay and at most doubles it", () => {
  const cases = fc.record({
    step: fc.integer({ min: 1, max: 20 }),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    retryAfterMs: fc.nat(),
  });
  fc.assert(
    fc.property(cases, (waited) => {
      const planned = waitMs({ step: waited.step, random: waited.random });
      expect(waitMs(waited)).toBeGreaterThanOrEqual(planned);
      expect(waitMs(waited)).toBeLessThanOrEqual(2 * planned + 1);
    }),
  );
});

test.each([
  [429, "120", 120_000],
  [503, " 7 ", 7_000],
  [503, "0", 0],
  [429, "Thu, 15 Jan 2026 12:01:00 GMT", 60_000],
  [503, "Thursday, 15-Jan-26 12:01:00 GMT", 60_000],
  [429, "Thu, 15 Jan 2026 11:00:00 GMT", 0],
  [429, undefined, undefined],
  [429, "", undefined],
  [429, "soon", undefined],
  [429, "-5", undefined],
  [429, "1.5", undefined],
  [429, "2026-01-15", undefined],
  [500, "120", undefined],
  [200, "120", undefined],
])("status %i with Retry-After %j requests %j ms", (status, header, expected) => {
  expect(retryAfterMs(status, header, now)).toBe(expected);
});
