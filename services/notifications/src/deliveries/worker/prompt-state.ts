// Computes the next state of a prompt's delivery, which gets few attempts, and only if a retry may help. Pure, like
// `next-state.ts`.

import { promptDelaysMs, promptRetryAfterMaxMs } from "@ems/proto/limits";
import type { Claimed } from "./claim.ts";
import { type NextState, type NextStateContext, nextState, released } from "./next-state.ts";
import type { Outcome } from "./outcome.ts";
import type { Attempt } from "./send.ts";

export const noWebhook = "The application has no webhook";
export const webhookDisabled = "The webhook is disabled";
const webhookDeleted = "The webhook was deleted before the prompt was delivered";

/** Returns true if a prompt failed because the application has no webhook that prompts can be sent to. */
export const isWithoutWebhook = (failure: string) =>
  [noWebhook, webhookDisabled, webhookDeleted, sentences.NOT_PUBLIC].includes(failure);

const sentences: Readonly<Record<Exclude<Outcome, "DELIVERED" | "HTTP_STATUS">, string>> = {
  REDIRECT: "The webhook answered with a redirect; redirects are not followed",
  GONE: "The webhook answered 410 Gone",
  TIMEOUT: "The webhook did not answer in time",
  NAME_NOT_FOUND: "The host of the webhook cannot be found",
  NOT_PUBLIC: "The webhook's URL does not resolve to a public host",
  CONNECTION_REFUSED: "The webhook refused the connection",
  CONNECTION_LOST: "The webhook closed the connection before it had answered",
  CERTIFICATE: "The webhook's certificate is not valid",
  BAD_ANSWER: "The webhook's answer is not HTTP",
};

/** Statuses of busy receivers, for which `Retry-After` is meant. */
const busyStatuses: ReadonlySet<number | null> = new Set([429, 503]);

export function nextPromptState(claimed: Claimed, attempt: Attempt, context: NextStateContext): NextState {
  if (!attempt.counts || attempt.outcome === "DELIVERED") return nextState(claimed, attempt, context);
  const step = claimed.scheduleStep + 1;
  const counted = { ...released(claimed), scheduleStep: step, attempt };
  const isRepeated = attempt.outcome === "CONNECTION_REFUSED" || busyStatuses.has(attempt.statusCode);
  if (!isRepeated || step >= claimed.scheduleSteps) return { ...counted, status: "FAILED" };
  return { ...counted, nextAttemptAt: new Date(context.now.getTime() + promptWaitMs(step, attempt.retryAfterMs)) };
}

/** Returns the delay before the next attempt; a receiver can request a longer delay. */
export function promptWaitMs(step: number, retryAfterMs = 0): number {
  const plannedMs = promptDelaysMs[step] ?? promptDelaysMs.at(-1) ?? 0;
  return Math.max(plannedMs, Math.min(retryAfterMs, promptRetryAfterMaxMs));
}

/**
 * Returns the reason why a prompt whose delivery has ended was not delivered, for display in its test. Undefined if it
 * was delivered.
 */
export function promptFailure({ status, outcome, attempt }: NextState): string | undefined {
  if (status === "DELIVERED") return undefined;
  if (attempt !== null && attempt.outcome !== "DELIVERED") return attemptFailure(attempt.outcome, attempt.statusCode);
  if (status === "CANCELLED") return webhookDeleted;
  return outcome === "DISABLED" ? webhookDisabled : "The prompt could not be delivered";
}

function attemptFailure(outcome: Exclude<Outcome, "DELIVERED">, statusCode: number | null): string {
  return outcome === "HTTP_STATUS" ? `The webhook answered ${statusCode}` : sentences[outcome];
}
