// What an attempt means for its delivery and for its webhook. Pure.

import type { Claimed } from "./claim.ts";
import type { OwnFault } from "./outcome.ts";
import { waitMs } from "./schedule.ts";
import type { Attempt } from "./send.ts";

/** What is written of a delivery that was in hand. */
export interface NextState {
  readonly claimed: Claimed;
  readonly status: "PENDING" | "DELIVERED" | "FAILED" | "CANCELLED";
  /** When it is due again; null keeps what stands there while it is pending. */
  readonly nextAttemptAt: Date | null;
  readonly scheduleStep: number;
  /** What is told of it when no attempt was made. */
  readonly outcome: "DISABLED" | Exclude<OwnFault, "SHUTDOWN"> | null;
  /** Null when none counts. */
  readonly attempt: CountedAttempt | null;
}

export type CountedAttempt = Extract<Attempt, { counts: true }>;

/** How long a delivery waits at least when the fault was ours. */
const ownFaultWaitMs = 5_000;

export interface NextStateContext {
  readonly now: Date;
  /** 0 or more, less than 1. */
  readonly random: number;
  /** How long the endpoint is left alone after a fault of ours. */
  readonly pauseMs?: number | undefined;
}

export function verdict(claimed: Claimed, attempt: Attempt, { now, random, pauseMs = 0 }: NextStateContext): NextState {
  const unchanged = { claimed, scheduleStep: claimed.scheduleStep, outcome: null, attempt: null };
  if (!attempt.counts) {
    const { fault } = attempt;
    // Whoever takes over goes on at once.
    if (fault === "SHUTDOWN") return { ...unchanged, status: "PENDING", nextAttemptAt: null };
    const told = { ...unchanged, outcome: fault };
    // Somebody waits for what comes of a test, and nobody for a test of days ago.
    if (claimed.type === "webhook.test") return { ...told, status: "FAILED", nextAttemptAt: null };
    const wait = Math.max(ownFaultWaitMs, pauseMs) * (0.8 + 0.4 * random);
    return { ...told, status: "PENDING", nextAttemptAt: later(now, wait) };
  }
  const step = claimed.scheduleStep + 1;
  const counted = { ...unchanged, scheduleStep: step, attempt };
  if (attempt.outcome === "DELIVERED") return { ...counted, status: "DELIVERED", nextAttemptAt: null };
  if (step >= claimed.scheduleSteps) return { ...counted, status: "FAILED", nextAttemptAt: null };
  const wait = waitMs({ step, random, retryAfterMs: attempt.retryAfterMs });
  return { ...counted, status: "PENDING", nextAttemptAt: later(now, wait) };
}

/** What becomes of a delivery that must not be attempted; undefined when it may be. */
export function withoutAttempt(claimed: Claimed): NextState | undefined {
  const { webhook, webhookId, type, scheduleStep } = claimed;
  const ended = { claimed, nextAttemptAt: null, scheduleStep, attempt: null };
  if (webhook === null || webhook.id !== webhookId) return { ...ended, status: "CANCELLED", outcome: null };
  // Somebody who mends a receiver tries it before the webhook is enabled again.
  if (webhook.isDisabled && type !== "webhook.test") return { ...ended, status: "FAILED", outcome: "DISABLED" };
  return undefined;
}

/** Gives a delivery back as it was taken. */
export function givenBack(claimed: Claimed): NextState {
  const { scheduleStep } = claimed;
  return { claimed, status: "PENDING", nextAttemptAt: null, scheduleStep, outcome: null, attempt: null };
}

/** What a batch of attempts says about one webhook, oldest attempt first. */
export interface Health {
  readonly claimed: Claimed;
  readonly hasSucceeded: boolean;
  /** Failures since the last success among them, or of all. */
  readonly failures: number;
  readonly firstFailureAt: Date | null;
  readonly isGone: boolean;
}

/** One entry a webhook as it was attempted: a webhook that was changed in between counts as two. */
export function healthOf(verdicts: readonly NextState[]): Health[] {
  const byWebhook = new Map<string, Health>();
  for (const { claimed, attempt } of verdicts) {
    if (attempt === null || claimed.webhook === null) continue;
    const { id, url, modifiedAt } = claimed.webhook;
    const key = `${id} ${modifiedAt.getTime()} ${url}`;
    byWebhook.set(key, withAttempt(byWebhook.get(key) ?? unknownHealth(claimed), attempt));
  }
  return [...byWebhook.values()];
}

function unknownHealth(claimed: Claimed): Health {
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
