// Outcomes: kept in the job, recorded by experiments, then the job ends. An outcome that experiments did not acknowledge is
// recorded again; experiments takes each once.

import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import type { EvaluationOutcomeSchema } from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../deps.ts";
import { callOptions, isNotFound, tenantOf } from "./execution.ts";
import type { Outcome } from "./outcome.ts";
import { finish, type Job, type jobsOf, keepOutcomes, type Parked, park } from "./store.ts";
import { countJob } from "./telemetry.ts";

export interface Ended {
  readonly job: Job;
  readonly outcome: Outcome;
}

export type RecorderDeps = Pick<Deps, "execution" | "documentTests" | "clock" | "newId" | "log"> & {
  readonly jobs: ReturnType<typeof jobsOf>;
};

interface Waiting {
  readonly ended: Ended;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

type EvaluationOutcome = MessageInitShape<typeof EvaluationOutcomeSchema>;

const batchMax = 100;
/** When an outcome that was not acknowledged is sent again. */
const againMs = 2_000;

export class Recorder {
  readonly #deps: RecorderDeps;
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #flushing = new Map<string, Promise<void>>();

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves when the outcome is recorded, or kept to be recorded later; rejects when it could not be kept. Idempotent.
   * Outcomes of an application go together.
   */
  end(ended: Ended): Promise<void> {
    const { applicationId } = ended.job;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.set(applicationId, [...(this.#waiting.get(applicationId) ?? []), { ended, resolve, reject }]);
    if (!this.#flushing.has(applicationId)) this.#flushing.set(applicationId, this.#flush(applicationId));
    return promise;
  }

  /**
   * Says what the evaluation or the prompt waits for, and then lets it wait: in the other order a lost process, or experiments
   * while it is away, would leave it waiting for months without a word. Unsaid, it is looked at again soon, uncharged.
   * Answers how many leases still held.
   */
  async wait(parked: Parked): Promise<number> {
    const { clock, jobs } = this.#deps;
    const { job, at } = parked;
    if (await this.#say(parked)) return park(jobs, [parked]);
    const soon = new Date(Math.min(at.getTime(), clock.now().getTime() + againMs));
    return park(jobs, [{ ...parked, at: soon, waitingFor: job.waitingFor, attempts: job.attempts }]);
  }

  /** Whether experiments knows what the job waits for. */
  async #say({ job, waitingFor }: Parked): Promise<boolean> {
    if (waitingFor === null || waitingFor === job.waitingFor) return true;
    const { log } = this.#deps;
    return this.#sayWaiting(job, waitingFor).then(
      () => true,
      (error: unknown) => {
        log.warn({ err: error }, "experiments was not told what a job waits for");
        // Gone: the next look at the job ends it.
        return isNotFound(error);
      },
    );
  }

  #sayWaiting(job: Job, waitingFor: string): Promise<unknown> {
    const { execution, documentTests, newId } = this.#deps;
    const options = callOptions(newId, tenantOf(job));
    const waits = { case: "waitingFor" as const, value: waitingFor };
    if (job.kind === "PROMPT") return execution.setPrompt({ testId: job.testId, result: waits }, options);
    if (job.kind === "QUESTION")
      return documentTests.recordDocumentAnswers({ answers: [{ id: job.id, outcome: waits }] }, options);
    const outcome = { id: job.id, status: EvaluationStatus.PENDING, waitingFor };
    return execution.recordEvaluations({ outcomes: [outcome] }, options);
  }

  async #flush(applicationId: string): Promise<void> {
    // One tick, in which others of the application end.
    await delay(0);
    for (;;) {
      const waiting = this.#waiting.get(applicationId) ?? [];
      if (waiting.length === 0) break;
      const batch = waiting.slice(0, batchMax);
      this.#waiting.set(applicationId, waiting.slice(batchMax));
      try {
        await this.#record(batch.map(({ ended }) => ended));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#waiting.delete(applicationId);
    this.#flushing.delete(applicationId);
  }

  async #record(batch: readonly Ended[]): Promise<void> {
    const { jobs, clock, log } = this.#deps;
    await keepOutcomes(
      jobs,
      batch.filter(({ job }) => job.outcome === null),
    );
    try {
      await this.#send(batch);
    } catch (error) {
      log.warn({ err: error }, "outcomes of jobs are recorded later");
      const at = new Date(clock.now().getTime() + againMs);
      await park(
        jobs,
        batch.map(({ job: { attempts, waitingFor, consumed }, job }) => ({ job, at, waitingFor, attempts, consumed })),
      );
      return;
    }
    await finish(
      jobs,
      batch.map(({ job }) => job),
      clock.now(),
    );
    for (const { outcome } of batch)
      countJob({ outcome: outcome.kind === "judgement" ? outcome.status : outcome.kind });
  }

  async #send(batch: readonly Ended[]): Promise<void> {
    const { execution, documentTests, newId } = this.#deps;
    const [first] = batch;
    if (first === undefined) return;
    const options = () => callOptions(newId, tenantOf(first.job));
    const answers = batch.flatMap(({ job, outcome }) =>
      job.kind === "QUESTION" ? [{ id: job.id, outcome: answerOf(outcome) }] : [],
    );
    if (answers.length > 0) await documentTests.recordDocumentAnswers({ answers }, options());
    const outcomes = batch.flatMap(({ job, outcome }) =>
      outcome.kind === "judgement" ? [messageOf(job.id, outcome)] : [],
    );
    if (outcomes.length > 0) await execution.recordEvaluations({ outcomes }, options());
    for (const { job, outcome } of batch) {
      if (job.kind !== "PROMPT" || outcome.kind === "judgement" || outcome.kind === "finding") continue;
      const result =
        outcome.kind === "prompt"
          ? { case: "prompt" as const, value: fromJson(ValueSchema, outcome.prompt) }
          : { case: "failure" as const, value: outcome.reason };
      await execution.setPrompt({ testId: job.testId, result }, options()).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    }
  }
}

/** A question's outcome is a finding, or the reason why there is none. */
function answerOf(outcome: Outcome) {
  if (outcome.kind === "finding") {
    const { matches, contradictions, ...finding } = outcome.finding;
    return {
      case: "finding" as const,
      value: { ...finding, matches: [...matches], contradictions: [...contradictions] },
    };
  }
  return { case: "failure" as const, value: outcome.kind === "failure" ? outcome.reason : "no_answer" };
}

function messageOf(
  id: string,
  { kind: _, status, results, ...outcome }: Outcome & { kind: "judgement" },
): EvaluationOutcome {
  const { inputTokens, outputTokens, costMicro, uncertainCostMicro, durationMs, message, ...others } = outcome;
  return {
    id,
    ...others,
    status: EvaluationStatus[status],
    ...(message !== undefined && { message: message.slice(0, 10_000) }),
    // Json is what JSON has.
    ...(results !== undefined && { results: results as JsonObject }),
    ...(inputTokens !== undefined && { inputTokens: BigInt(inputTokens) }),
    ...(outputTokens !== undefined && { outputTokens: BigInt(outputTokens) }),
    ...(costMicro !== undefined && { costMicro: BigInt(Math.round(costMicro)) }),
    ...(uncertainCostMicro !== undefined && { uncertainCostMicro: BigInt(Math.round(uncertainCostMicro)) }),
    ...(durationMs !== undefined && { durationMs: Math.min(durationMs, 2 ** 31 - 1) }),
  };
}
