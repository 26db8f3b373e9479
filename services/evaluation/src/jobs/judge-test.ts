// Runs the evaluations of a test: each is judged separately, and then ends, waits or is retried.

import { isTransient } from "@ems/kit/db/errors";
import type { Random } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import type { GetJudgeInputResponse, JudgedEvaluation } from "@ems/proto/experiments/v1/execution_service";
import { type Judge, type JudgeInput, type ModelCaller, ModelFault } from "../judges/index.ts";
import { attemptsMax, backoffMs } from "./backoff.ts";
import type { Connection } from "./connections.ts";
import type { MeteredModel } from "./metered-model.ts";
import { addConsumed, type Consumed, nothing, type Outcome } from "./outcome.ts";
import type { Job, Parked } from "./store.ts";
import type { JobReplies, StoredReplies } from "./stored-replies.ts";
import { Waiting } from "./waiting.ts";

export type ToInput = (
  response: GetJudgeInputResponse,
  evaluation: JudgedEvaluation,
  votes: number,
) => JudgeInput | undefined;

/** State of a job after an attempt. */
export type Result =
  | { readonly kind: "ended"; readonly outcome: Outcome }
  | { readonly kind: "parked"; readonly parked: Parked };

export interface Attempt {
  readonly job: Job;
  readonly connection: Connection | undefined;
  readonly model: MeteredModel | undefined;
  /** Stored replies of the job; undefined if the job needs no model. */
  readonly replies: JobReplies | undefined;
  /** Stores replies and usage so far before each call, in case the process dies during the call. */
  readonly save: (replies: StoredReplies, consumed: Consumed) => Promise<void>;
  readonly now: () => Date;
  /** Returns a random number in [0, 1). */
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly log: Pick<Logger, "error">;
}

const secondMs = 1_000;

/** Judges one evaluation in one attempt. */
export async function judgeOne(
  judge: Judge,
  input: JudgeInput | undefined,
  definitionVersion: number | undefined,
  random: Random,
  attempt: Attempt,
): Promise<Result> {
  if (input === undefined) return failed(attempt, "definition_deleted: The definition was deleted");
  const { replies: stored, signal } = attempt;
  return runAttempt(attempt, async () => {
    const judgement = await judge(input, { model: savingModel(attempt), random, signal, stored });
    return { kind: "judgement", ...judgement, ...getFacts(attempt), definitionVersion };
  });
}

/** Returns the attempt's model, which stores earlier replies before each call; undefined if the job needs no model. */
export function savingModel(attempt: Attempt): ModelCaller | undefined {
  const { model, replies, save } = attempt;
  return (
    model && {
      async generate(request) {
        const unsaved = replies?.unsaved ?? null;
        if (unsaved !== null) {
          await save(unsaved, getConsumed(attempt));
          replies?.saved();
        }
        return model.generate(request);
      },
    }
  );
}

/** Runs an attempt and decides what follows from a failure. Never rejects. */
export async function runAttempt(attempt: Attempt, work: () => Promise<Outcome>): Promise<Result> {
  try {
    return { kind: "ended", outcome: await work() };
  } catch (error) {
    return afterFailure(attempt, error);
  }
}

/**
 * Transient errors wait without a charged attempt. Other errors are retried; after the last attempt, the job is FAILED.
 */
export function afterFailure(attempt: Attempt, error: unknown): Result {
  const { job, now, signal, random, log } = attempt;
  const wait = (at: Date, waitingFor: string | null, attempts: number): Result => ({
    kind: "parked",
    parked: {
      job,
      at,
      waitingFor,
      attempts,
      consumed: getConsumed(attempt),
      replies: attempt.replies?.unsaved ?? null,
    },
  });
  if (error instanceof Waiting) return wait(error.until, error.waitingFor, job.attempts);
  if (signal.aborted) return wait(now(), null, job.attempts);
  const fault = error instanceof ModelFault ? error : undefined;
  if (fault === undefined) {
    // An outage of the service's own database does not count as an attempt.
    if (isTransient(error)) return wait(new Date(now().getTime() + 5 * secondMs), null, job.attempts);
    log.error(
      { err: error, jobId: job.id, attempts: job.attempts + 1 },
      "an attempt of a job failed by an internal error",
    );
  } else if (fault.retry !== "later") return failed(attempt, fault.failure);
  const attempts = job.attempts + 1;
  const ageMs = now().getTime() - job.createdAt.getTime();
  const waitMs = backoffMs({ attempts, ageMs, retryAfterMs: fault?.retryAfterMs }, random());
  if (waitMs !== undefined) return wait(new Date(now().getTime() + waitMs), "retry", attempts);
  const times = attempts >= attemptsMax ? `${attempts} attempts` : `${attempts} attempts in a day`;
  // A fault with a cause of its own keeps it; otherwise the provider or this service was unavailable.
  const isNamed = fault !== undefined && fault.kind !== "unavailable";
  const reason = isNamed ? fault.failure : `attempts_exhausted: ${fault?.message ?? internalError(job)}`;
  return failed(attempt, `${reason}, after ${times}`);
}

const internalError = ({ id }: Pick<Job, "id">) => `An internal error; the log has details for job ${id}`;

/**
 * Ends a job whose processes died as often as a job may be attempted, because another attempt would pay for its calls a
 * second time.
 */
export function ifExhausted(attempt: Attempt): Result | undefined {
  const { attempts } = attempt.job;
  if (attempts < attemptsMax) return undefined;
  return failed(attempt, `attempts_exhausted: Processes ended during the evaluation, after ${attempts} attempts`);
}

/** Returns the outcome of a job whose result can never be stored: it is FAILED, with the job's usage. */
export function unstorable(job: Job, result: Result): Outcome {
  const reason = `unstorable_result: The result cannot be stored; the log has details for job ${job.id}`;
  if (job.kind !== "JUDGE") return { kind: "failure", reason };
  const outcome = result.kind === "ended" && result.outcome.kind === "judgement" ? result.outcome : undefined;
  const { inputTokens, outputTokens, estimatedTokens, costMicro, uncertainCostMicro, durationMs } = outcome ?? {};
  const consumed = { inputTokens, outputTokens, estimatedTokens, costMicro, uncertainCostMicro, durationMs };
  // Drops counts too large for any column, because such a count may be why the result could not be stored.
  const counts = Object.fromEntries(Object.entries(consumed).filter(([, count]) => Number.isSafeInteger(count)));
  return { kind: "judgement", status: "FAILED", message: reason, ...counts, attempts: job.attempts + 1 };
}

export function failed(attempt: Attempt, message: string): Result {
  if (attempt.job.kind !== "JUDGE")
    return { kind: "ended", outcome: { kind: "failure", reason: message.slice(0, 1_000) } };
  return { kind: "ended", outcome: { kind: "judgement", status: "FAILED", message, ...getFacts(attempt) } };
}

function getConsumed({ job, model }: Attempt): Consumed {
  return addConsumed(job.consumed ?? nothing, model?.consumed ?? nothing);
}

function getFacts(attempt: Attempt) {
  const { connection, job } = attempt;
  const consumed = getConsumed(attempt);
  const attempts = job.attempts + 1;
  if ((attempt.model?.calls ?? 0) + consumed.durationMs === 0) return { attempts };
  const by = connection && { modelConnectionId: connection.id, model: connection.model };
  return { ...consumed, ...by, attempts };
}
