// Builds claimed deliveries and attempts as plain values, for tests of pure functions.

import type { Claimed } from "../src/deliveries/worker/claim.ts";
import type { Outcome } from "../src/deliveries/worker/outcome.ts";
import type { Attempt } from "../src/deliveries/worker/send.ts";

export const now = new Date("2026-01-15T12:00:00.000Z");
export const after = (ms: number) => new Date(now.getTime() + ms);

export function claimed(overrides: Partial<Claimed> = {}): Claimed {
  return {
    applicationId: "app",
    id: "event",
    orgId: "org",
    kind: "EVENT",
    webhookId: "hook",
    type: "topic.created",
    payload: "{}",
    traceparent: null,
    scheduleStep: 0,
    scheduleSteps: 10,
    leasedUntil: after(30_000),
    webhook: {
      id: "hook",
      url: "https://hooks.example.com/",
      secret: "",
      previousSecret: null,
      previousSecretUntil: null,
      headers: null,
      isDisabled: false,
      failureStreak: 0,
      modifiedAt: now,
    },
    readAtMs: 0,
    ...overrides,
  };
}

export function attempt(
  outcome: Outcome,
  retryAfterMs?: number,
  statusCode: number | null = null,
): Extract<Attempt, { counts: true }> {
  const answer = { statusCode, responseBody: null, answer: null, remoteAddress: null };
  return { counts: true, startedAt: now, durationMs: 1, outcome, retryAfterMs, ...answer };
}
