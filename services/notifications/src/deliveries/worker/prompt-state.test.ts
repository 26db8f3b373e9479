import { promptDelaysMs, promptRetryAfterMaxMs } from "@ems/proto/limits";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { after, attempt, claimed, now } from "../../../test/states.ts";
import { deliverySettings } from "../settings.ts";
import type { NextState } from "./next-state.ts";
import type { Outcome } from "./outcome.ts";
import { nextPromptState, promptFailure, promptWaitMs } from "./prompt-state.ts";
import type { Attempt } from "./send.ts";

const steps = promptDelaysMs.length;
const prompt = (scheduleStep = 0) =>
  claimed({ kind: "PROMPT", type: "prompt", id: "test", scheduleStep, scheduleSteps: steps });
const next = (step: number, made: Attempt, random = 0.5) => nextPromptState(prompt(step), made, { now, random });

test("schedule and limits are data: attempts at 0, 5, 30 and 120 s; 120 s per attempt, 8 at a time", () => {
  expect(promptDelaysMs).toEqual([0, 5_000, 30_000, 120_000]);
  expect(promptRetryAfterMaxMs).toBe(600_000);
  expect(deliverySettings.PROMPT_ATTEMPT_TIMEOUT_MS.parse(undefined)).toBe(120_000);
  expect(deliverySettings.PROMPT_ENDPOINT_CONCURRENCY.parse(undefined)).toBe(8);
});

describe("nextPromptState", () => {
  const busy = (status: number, retryAfterMs?: number) => attempt("HTTP_STATUS", retryAfterMs, status);
  test.each<[string, number, Attempt, Partial<NextState>]>([
    [
      "delivered",
      0,
      attempt("DELIVERED", undefined, 200),
      { status: "DELIVERED", nextAttemptAt: null, scheduleStep: 1 },
    ],
    ["delivered at last", 3, attempt("DELIVERED", undefined, 204), { status: "DELIVERED", scheduleStep: 4 }],
    ["refused", 0, attempt("CONNECTION_REFUSED"), { status: "PENDING", nextAttemptAt: after(5_000), scheduleStep: 1 }],
    ["refused again", 1, attempt("CONNECTION_REFUSED"), { status: "PENDING", nextAttemptAt: after(30_000) }],
    ["refused three times", 2, attempt("CONNECTION_REFUSED"), { status: "PENDING", nextAttemptAt: after(120_000) }],
    [
      "refused four times",
      3,
      attempt("CONNECTION_REFUSED"),
      { status: "FAILED", nextAttemptAt: null, scheduleStep: 4 },
    ],
    ["answered 429", 0, busy(429), { status: "PENDING", nextAttemptAt: after(5_000) }],
    ["answered 503", 1, busy(503), { status: "PENDING", nextAttemptAt: after(30_000) }],
    ["answered 503 at the last attempt", 3, busy(503), { status: "FAILED" }],
    ["asked to retry sooner", 0, busy(429, 1_000), { status: "PENDING", nextAttemptAt: after(5_000) }],
    ["asked to retry later", 0, busy(429, 60_000), { status: "PENDING", nextAttemptAt: after(60_000) }],
    ["asked to retry in a year", 0, busy(503, 3e10), { status: "PENDING", nextAttemptAt: after(600_000) }],
    ...[400, 401, 404, 408, 409, 500, 502, 504].map((status): [string, number, Attempt, Partial<NextState>] => [
      `answered ${status}`,
      0,
      busy(status),
      { status: "FAILED" },
    ]),
  ])("a prompt that is %s", (_, step, made, expected) => {
    expect(next(step, made)).toMatchObject({ attempt: made, outcome: null, ...expected });
  });

  const final: Outcome[] = ["REDIRECT", "GONE", "TIMEOUT", "NAME_NOT_FOUND", "NOT_PUBLIC", "CONNECTION_LOST"];
  test.each([...final, "CERTIFICATE", "BAD_ANSWER"] as const)("%s is not retried", (outcome) => {
    expect(next(0, attempt(outcome))).toMatchObject({ status: "FAILED", nextAttemptAt: null });
  });

  test.each(["RESOLVER", "LOCAL"] as const)("%s is an internal error: no attempt is charged", (fault) => {
    for (const step of [0, 3]) {
      const state = next(step, { counts: false, fault });
      expect(state).toMatchObject({ status: "PENDING", scheduleStep: step, outcome: fault, attempt: null });
      expect(state.nextAttemptAt?.getTime()).toBeGreaterThan(now.getTime());
    }
  });

  test("a stopping process releases it unchanged", () => {
    const state = next(2, { counts: false, fault: "SHUTDOWN" });
    expect(state).toMatchObject({
      status: "PENDING",
      scheduleStep: 2,
      nextAttemptAt: null,
      outcome: null,
      attempt: null,
    });
  });

  test("randomness changes nothing", () => {
    const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const check = (random: number, step: number) => {
      expect(next(step, busy(503), random)).toEqual(next(step, busy(503), 0));
    };
    fc.assert(fc.property(unit, fc.integer({ min: 0, max: 3 }), check));
  });
});

test.each([
  [1, undefined, 5_000],
  [2, undefined, 30_000],
  [3, undefined, 120_000],
  [9, undefined, 120_000],
  [1, 0, 5_000],
  [1, 5_001, 5_001],
  [3, 119_999, 120_000],
  [1, 600_001, 600_000],
  [1, Number.MAX_SAFE_INTEGER, 600_000],
])("promptWaitMs of step %d, with Retry-After of %s ms: %d ms", (step, retryAfterMs, expected) => {
  expect(promptWaitMs(step, retryAfterMs)).toBe(expected);
});

test.each<[string | undefined, Attempt | null, Partial<NextState>]>([
  [undefined, attempt("DELIVERED", undefined, 200), { status: "DELIVERED" }],
  ["The webhook answered 500", attempt("HTTP_STATUS", undefined, 500), { status: "FAILED" }],
  ["The webhook refused the connection", attempt("CONNECTION_REFUSED"), { status: "FAILED" }],
  ["The webhook did not answer in time", attempt("TIMEOUT"), { status: "FAILED" }],
  ["The webhook's certificate is not valid", attempt("CERTIFICATE"), { status: "FAILED" }],
  ["The webhook was deleted before the prompt was delivered", null, { status: "CANCELLED" }],
  ["The webhook is disabled", null, { status: "FAILED", outcome: "DISABLED" }],
  ["The prompt could not be delivered", null, { status: "FAILED", outcome: "LOCAL" }],
])("the failure text is: %s", (expected, made, state) => {
  const counted = made?.counts === true ? made : null;
  const base: NextState = { ...next(0, attempt("DELIVERED")), attempt: counted };
  expect(promptFailure({ ...base, ...state })).toBe(expected);
});
