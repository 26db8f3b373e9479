// Computes a delivery's next state by a backoff schedule with jitter, and a webhook's health from a batch of attempts.
// Pure: receives randomness and time as parameters.

import { deliveryDelaysMs } from "@ems/proto/limits";
import type { Claimed } from "./claim.ts";
import type { OwnFault } from "./outcome.ts";
import type { Attempt } from "./send.ts";

/** New state of a claimed delivery, which the recorder writes. */
export interface NextState {
  readonly claimed: Claimed;
  readonly status: "PENDING" | "DELIVERED" | "FAILED" | "CANCELLED";
  /** Time when the delivery is due next; null does not change the due time of a pending delivery. */
  readonly nextAttemptAt: Date | null;
  readonly scheduleStep: number;
  /** Outcome to store as the delivery's last one if no attempt is counted. */
  readonly outcome: "DISABLED" | Exclude<OwnFault, "SHUTDOWN"> | null;
  /** The counted attempt; null if none is counted. */
  readonly attempt: CountedAttempt | null;
}

export type CountedAttempt = Extract<Attempt, { counts: true }>;

/** Minimum delay after an internal error. */
const ownFaultWaitMs = 5_000;

export interface NextStateContext {
  readonly now: Date;
  /** Random number, 0 or more and less than 1. */
  readonly random: number;
  /** Duration of the endpoint's pause after an internal error. */
  readonly pauseMs?: number | undefined;
}

export function nextState(
  claimed: Claimed,
  attempt: Attempt,
  { now, random, pauseMs = 0 }: NextStateContext,
): NextState {
  if (!attempt.counts) {
    const { fault } = attempt;
    if (fault === "SHUTDOWN") return released(claimed);
    const faulted = { ...released(claimed), outcome: fault };
    // A webhook test is not retried, because its caller waits for only one attempt.
    if (claimed.type === "webhook.test") return { ...faulted, status: "FAILED" };
    const wait = Math.max(ownFaultWaitMs, pauseMs) * (0.8 + 0.4 * random);
    return { ...faulted, nextAttemptAt: later(now, wait) };
  }
  const step = claimed.scheduleStep + 1;
  const counted = { ...released(claimed), scheduleStep: step, attempt };
  if (attempt.outcome === "DELIVERED") return { ...counted, status: "DELIVERED" };
  if (step >= claimed.scheduleSteps) return { ...counted, status: "FAILED" };
  const wait = waitMs({ step, random, retryAfterMs: attempt.retryAfterMs });
  return { ...counted, nextAttemptAt: later(now, wait) };
}

/** Returns the next state of a delivery that must not be attempted; undefined if it may be attempted. */
export function withoutAttempt(claimed: Claimed): NextState | undefined {
  const { webhook, webhookId, type } = claimed;
  if (webhook === null || webhook.id !== webhookId) return { ...released(claimed), status: "CANCELLED" };
  // Webhook tests are sent even to a disabled webhook, so that a repaired receiver can be tested before enabling it.
  if (webhook.isDisabled && type !== "webhook.test") {
    return { ...released(claimed), status: "FAILED", outcome: "DISABLED" };
  }
  return undefined;
}

/** Returns a state that only ends the lease. */
export function released(claimed: Claimed): NextState {
  const { scheduleStep } = claimed;
  return { claimed, status: "PENDING", nextAttemptAt: null, scheduleStep, outcome: null, attempt: null };
}

/** Health of one webhook according to a batch of attempts. */
export interface Health {
  readonly claimed: Claimed;
  readonly hasSucceeded: boolean;
  /** Number of failures since the last success in the batch, or of all failures if the batch has no success. */
  readonly failures: number;
  readonly firstFailureAt: Date | null;
  readonly isGone: boolean;
}

/** Returns one entry per version of a webhook, because changing a webhook resets its health. */
export function summarizeHealth(states: readonly NextState[]): Health[] {
  const byWebhook = new Map<string, Health>();
  for (const { claimed, attempt } of states) {
    // Prompts do not count: a prompt that the application cannot answer fails permanently although the endpoint works.
    if (attempt === null || claimed.webhook === null || claimed.kind === "PROMPT") continue;
    const { id, url, modifiedAt } = claimed.webhook;
    const key = `${id} ${modifiedAt.getTime()} ${url}`;
    byWebhook.set(key, withAttempt(byWebhook.get(key) ?? initialHealth(claimed), attempt));
  }
  return [...byWebhook.values()];
}

function initialHealth(claimed: Claimed): Health {
  return { claimed, hasSucceeded: false, failures: 0, firstFailureAt: null, isGone: false };
}

function withAttempt(health: Health, { outcome, startedAt }: CountedAttempt): Health {
  if (outcome === "DELIVERED") return { ...health, hasSucceeded: true, failures: 0, firstFailureAt: null };
  return {
    ...health,
    failures: health.failures + 1,
    firstFailureAt: health.firstFailureAt ?? startedAt,
    isGone: health.isGone || outcome === "GONE",
  };
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + Math.round(ms));
}

/** Jitter of delays, so that deliveries that fail at the same time are not retried at the same time. */
const jitter = 0.2;

export interface Backoff {
  /** Number of attempts made in the schedule, 1 or more. */
  readonly step: number;
  /** Random number, 0 or more and less than 1. */
  readonly random: number;
  /** Delay from the header `Retry-After`, if the receiver sent it. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * Returns the delay before the next attempt in milliseconds. `Retry-After` may increase it to at most twice the planned
 * delay.
 */
export function waitMs({ step, random, retryAfterMs = 0 }: Backoff): number {
  const plannedMs = (deliveryDelaysMs[step] ?? deliveryDelaysMs.at(-1) ?? 0) * (1 + jitter * (2 * random - 1));
  return Math.round(Math.min(Math.max(plannedMs, retryAfterMs), 2 * plannedMs));
}
