// The next state of a delivery, by a schedule of backoffs with jitter, and what a batch of attempts says about its webhook.
// Pure: randomness and time are parameters.

import { deliveryDelaysMs } from "@ems/proto/limits";
import type { Claimed } from "./claim.ts";
import type { OwnFault } from "./outcome.ts";
import type { Attempt } from "./send.ts";

/** What is written of a claimed delivery. */
export interface NextState {
  readonly claimed: Claimed;
  readonly status: "PENDING" | "DELIVERED" | "FAILED" | "CANCELLED";
  /** The next due time; null leaves that of a pending delivery as it is. */
  readonly nextAttemptAt: Date | null;
  readonly scheduleStep: number;
  /** The delivery's last outcome when no attempt counts. */
  readonly outcome: "DISABLED" | Exclude<OwnFault, "SHUTDOWN"> | null;
  /** Null when none counts. */
  readonly attempt: CountedAttempt | null;
}

export type CountedAttempt = Extract<Attempt, { counts: true }>;

/** The backoff after a fault of ours, at least. */
const ownFaultWaitMs = 5_000;

export interface NextStateContext {
  readonly now: Date;
  /** 0 or more, less than 1. */
  readonly random: number;
  /** How long the endpoint is paused after a fault of ours. */
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
    // A test is not retried: its caller waits only once.
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

/** The state of a delivery that must not be attempted; undefined when it may be. */
export function withoutAttempt(claimed: Claimed): NextState | undefined {
  const { webhook, webhookId, type } = claimed;
  if (webhook === null || webhook.id !== webhookId) return { ...released(claimed), status: "CANCELLED" };
  // Tests of a disabled webhook are sent: a repaired receiver is tested before it is enabled.
  if (webhook.isDisabled && type !== "webhook.test") {
    return { ...released(claimed), status: "FAILED", outcome: "DISABLED" };
  }
  return undefined;
}

/** Ends the lease and changes nothing else. */
export function released(claimed: Claimed): NextState {
  const { scheduleStep } = claimed;
  return { claimed, status: "PENDING", nextAttemptAt: null, scheduleStep, outcome: null, attempt: null };
}

/** What a batch of attempts says about one webhook. */
export interface Health {
  readonly claimed: Claimed;
  readonly hasSucceeded: boolean;
  /** Failures since the last success in the batch, or all of the batch. */
  readonly failures: number;
  readonly firstFailureAt: Date | null;
  readonly isGone: boolean;
}

/** One entry a version of a webhook: after a change its health starts anew. */
export function healthOf(states: readonly NextState[]): Health[] {
  const byWebhook = new Map<string, Health>();
  for (const { claimed, attempt } of states) {
    // Prompts do not count: one that the application cannot answer fails for good, without the endpoint being down.
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

/** Jitter: failures at the same time do not retry at the same time. */
const jitter = 0.2;

export interface Backoff {
  /** Attempts of the schedule that were made: 1 or more. */
  readonly step: number;
  /** 0 or more, less than 1. */
  readonly random: number;
  /** `Retry-After`, if the receiver sent it. */
  readonly retryAfterMs?: number | undefined;
}

/** The delay before the next attempt, in milliseconds; `Retry-After` may lengthen it up to twice the planned delay. */
export function waitMs({ step, random, retryAfterMs = 0 }: Backoff): number {
  const plannedMs = (deliveryDelaysMs[step] ?? deliveryDelaysMs.at(-1) ?? 0) * (1 + jitter * (2 * random - 1));
  return Math.round(Math.min(Math.max(plannedMs, retryAfterMs), 2 * plannedMs));
}
