// The evaluations of a test: each is judged on its own, and ends, waits or is tried again.

import { isTransient } from "@ems/kit/db/errors";
import type { Random } from "@ems/kit/id";
import type { GetJudgeInputResponse, JudgedEvaluation } from "@ems/proto/experiments/v1/execution_service";
import { type Judge, type JudgeInput, type ModelCaller, ModelFault } from "../judges/index.ts";
import { attemptsMax, backoffMs } from "./backoff.ts";
import type { Connection } from "./connections.ts";
import type { MeteredModel } from "./metered-model.ts";
import { type Consumed, nothing, type Outcome, sumOf } from "./outcome.ts";
import type { Job, Parked } from "./store.ts";
import type { JobReplies, StoredReplies } from "./stored-replies.ts";
import { Waiting } from "./waiting.ts";

export type ToInput = (
  response: GetJudgeInputResponse,
  evaluation: JudgedEvaluation,
  votes: number,
) => JudgeInput | undefined;

/** What becomes of a job. */
export type Result =
  | { readonly kind: "ended"; readonly outcome: Outcome }
  | { readonly kind: "parked"; readonly parked: Parked };

export interface Attempt {
  readonly job: Job;
  readonly connection: Connection | undefined;
  readonly model: MeteredModel | undefined;
  /** Those of the job; absent without a model. */
  readonly replies: JobReplies | undefined;
  /** Writes to the job's row what calls before the next one brought, should the process be lost in it. */
  readonly save: (replies: StoredReplies, consumed: Consumed) => Promise<void>;
  readonly now: () => Date;
  /** In [0, 1). */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

const secondMs = 1_000;

/** Judges one evaluation. */
export async function judgeOne(
  judge: Judge,
  input: JudgeInput | undefined,
  definitionVersion: number | undefined,
  random: Random,
  attempt: Attempt,
): Promise<Result> {
  if (input === undefined) return failed(attempt, "definition_deleted: The definition was deleted");
  const { replies: stored, signal } = attempt;
  return settle(attempt, async () => {
    const judgement = await judge(input, { model: savingModel(attempt), random, signal, stored });
    return { kind: "judgement", ...judgement, ...factsOf(attempt), definitionVersion };
  });
}

/** Its model; what it answered before is saved first. */
export function savingModel(attempt: Attempt): ModelCaller | undefined {
  const { model, replies, save } = attempt;
  return (
    model && {
      async generate(request) {
        const unsaved = replies?.unsaved ?? null;
        if (unsaved !== null) {
          await save(unsaved, takenOf(attempt));
          replies?.saved();
        }
        return model.generate(request);
      },
    }
  );
}

/** Runs an attempt and decides what its failure means. */
export async function settle(attempt: Attempt, work: () => Promise<Outcome>): Promise<Result> {
  const { job, now, signal, random } = attempt;
  try {
    return { kind: "ended", outcome: await work() };
  } catch (error) {
    const consumed = takenOf(attempt);
    const wait = (at: Date, waitingFor: string | null, attempts: number): Result => ({
      kind: "parked",
      parked: { job, at, waitingFor, attempts, consumed, replies: attempt.replies?.unsaved ?? null },
    });
    if (error instanceof Waiting) return wait(error.until, error.waitingFor, job.attempts);
    if (signal.aborted) return wait(now(), null, job.attempts);
    // The service's own database did not answer: no attempt of the model.
    if (!(error instanceof ModelFault)) {
      if (isTransient(error)) return wait(new Date(now().getTime() + 5 * secondMs), null, job.attempts);
    } else if (error.kind !== "retryable") return failed(attempt, `model_error: ${error.message}`);
    const attempts = job.attempts + 1;
    const retryAfterMs = error instanceof ModelFault ? error.retryAfterMs : undefined;
    const waitMs = backoffMs({ attempts, ageMs: now().getTime() - job.createdAt.getTime(), retryAfterMs }, random());
    if (waitMs !== undefined) return wait(new Date(now().getTime() + waitMs), "retry", attempts);
    const why = error instanceof ModelFault ? error.message : "The judge failed";
    const times = attempts >= attemptsMax ? `${attempts} attempts` : `${attempts} attempts in a day`;
    return failed(attempt, `attempts_exhausted: ${why}, after ${times}`);
  }
}

export function failed(attempt: Attempt, message: string): Result {
  if (attempt.job.kind !== "JUDGE")
    return { kind: "ended", outcome: { kind: "failure", reason: message.slice(0, 1_000) } };
  return { kind: "ended", outcome: { kind: "judgement", status: "FAILED", message, ...factsOf(attempt) } };
}

function takenOf({ job, model }: Attempt): Consumed {
  return sumOf(job.consumed ?? nothing, model?.consumed ?? nothing);
}

function factsOf(attempt: Attempt) {
  const { connection, job } = attempt;
  const consumed = takenOf(attempt);
  if (connection === undefined || (attempt.model?.calls ?? 0) + consumed.durationMs === 0)
    return { attempts: job.attempts + 1 };
  return { ...consumed, modelConnectionId: connection.id, model: connection.model, attempts: job.attempts + 1 };
}
