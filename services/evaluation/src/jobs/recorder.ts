// Records outcomes of jobs: stores the outcome in the job, sends it to experiments, then ends the job. An outcome
// without acknowledgement is sent a second time; experiments accepts each outcome only once.

import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { isTransient } from "@ems/kit/db/errors";
import { toValue } from "@ems/kit/json/free-value";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import type { EvaluationOutcomeSchema } from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../deps.ts";
import { backoffMs } from "./backoff.ts";
import { callOptions, isNotFound, toTenant } from "./execution.ts";
import type { Outcome } from "./outcome.ts";
import { finish, type Job, keepOutcomes, type Parked, park, type Store } from "./store.ts";
import { countJob } from "./telemetry.ts";

export interface Ended {
  readonly job: Job;
  readonly outcome: Outcome;
}

export type RecorderDeps = Pick<Deps, "execution" | "documentTests" | "clock" | "newId" | "random" | "log"> & {
  readonly jobs: Store;
};

interface Waiting {
  readonly ended: Ended;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

type EvaluationOutcome = MessageInitShape<typeof EvaluationOutcomeSchema>;

const batchMax = 100;
/** Delay before sending an outcome once more that experiments has not acknowledged. */
const againMs = 2_000;

export class Recorder {
  readonly #deps: RecorderDeps;
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #flushing = new Map<string, Promise<void>>();

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves when the outcome is recorded, or is stored to be recorded later. Rejects if it could not be stored, or if
   * it was refused in every attempt. Idempotent. Outcomes of one application are sent in batches.
   */
  end(ended: Ended): Promise<void> {
    const { applicationId } = ended.job;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.set(applicationId, [...(this.#waiting.get(applicationId) ?? []), { ended, resolve, reject }]);
    if (!this.#flushing.has(applicationId)) this.#flushing.set(applicationId, this.#flush(applicationId));
    return promise;
  }

  /**
   * Parks a job, after reporting to experiments why it waits; if a process died between the steps in reverse order, the
   * job would wait for months without a reason. Rejects, with the job not released, while experiments is unavailable.
   * Returns the number of leases that were still valid.
   */
  async wait(parked: Parked): Promise<number> {
    const { jobs, log } = this.#deps;
    const { job, waitingFor } = parked;
    if (waitingFor !== null && waitingFor !== job.waitingFor) {
      await this.#sayWaiting(job, waitingFor).catch((error: unknown) => {
        if (isTransient(error)) throw error;
        // If the evaluation is missing, the job will end at its next attempt.
        if (!isNotFound(error))
          log.error({ err: error, jobId: job.id }, "experiments refused the reason of a job's wait");
      });
    }
    return park(jobs, [parked]);
  }

  #sayWaiting(job: Job, waitingFor: string): Promise<unknown> {
    const { execution, documentTests, newId } = this.#deps;
    const options = callOptions(newId, toTenant(job));
    const waits = { case: "waitingFor" as const, value: waitingFor };
    if (job.kind === "PROMPT") return execution.setPrompt({ testId: job.testId, result: waits }, options);
    if (job.kind === "QUESTION")
      return documentTests.recordDocumentAnswers({ answers: [{ id: job.id, outcome: waits }] }, options);
    const outcome = { id: job.id, status: EvaluationStatus.PENDING, waitingFor };
    return execution.recordEvaluations({ outcomes: [outcome] }, options);
  }

  async #flush(applicationId: string): Promise<void> {
    // Waits one turn of the event loop, so that other jobs of the application that end now join the batch.
    await delay(0);
    for (;;) {
      const waiting = this.#waiting.get(applicationId) ?? [];
      if (waiting.length === 0) break;
      const batch = waiting.slice(0, batchMax);
      this.#waiting.set(applicationId, waiting.slice(batchMax));
      await this.#recordAll(batch);
    }
    this.#waiting.delete(applicationId);
    this.#flushing.delete(applicationId);
  }

  /** Records a batch; if one of its outcomes cannot be stored or is refused, records each outcome separately. */
  async #recordAll(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#record(batch.map(({ ended }) => ended));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      const [first, ...rest] = batch;
      if (isTransient(error) || rest.length === 0) for (const { reject } of batch) reject(error);
      else for (const each of [first, ...rest]) if (each !== undefined) await this.#recordAll([each]);
    }
  }

  async #record(batch: readonly Ended[]): Promise<void> {
    const { jobs, clock, log } = this.#deps;
    await keepOutcomes(
      jobs,
      batch.filter(({ job, outcome }) => job.outcome !== outcome),
    );
    try {
      await this.#send(batch);
    } catch (error) {
      if (!isTransient(error)) return this.#refused(batch, error);
      log.warn({ err: error }, "outcomes of jobs are recorded later");
      const at = new Date(clock.now().getTime() + againMs);
      return this.#retryAt(batch, at, 0);
    }
    await finish(
      jobs,
      batch.map(({ job }) => job),
      clock.now(),
    );
    for (const { outcome } of batch)
      countJob({ outcome: outcome.kind === "judgement" ? outcome.status : outcome.kind });
  }

  /**
   * Delays a refused outcome by the backoff, because the next version of experiments may accept it. Throws after the
   * last attempt.
   */
  async #refused(batch: readonly Ended[], error: unknown): Promise<void> {
    const [ended] = batch;
    if (ended === undefined || batch.length > 1) throw error;
    const attempts = countAttempts(ended) + 1;
    const { clock, log, random } = this.#deps;
    log.error({ err: error, jobId: ended.job.id, attempts }, "experiments refused the outcome of a job");
    const waitMs = backoffMs({ attempts, ageMs: 0, retryAfterMs: undefined }, random(4).readUInt32BE() / 2 ** 32);
    if (waitMs === undefined) throw error;
    await this.#retryAt(batch, new Date(clock.now().getTime() + waitMs), 1);
  }

  async #retryAt(batch: readonly Ended[], at: Date, attempts: 0 | 1): Promise<void> {
    const parked = batch.map((ended) => {
      const { job } = ended;
      return { job, at, waitingFor: job.waitingFor, attempts: countAttempts(ended) + attempts, consumed: job.consumed };
    });
    await park(this.#deps.jobs, parked);
  }

  async #send(batch: readonly Ended[]): Promise<void> {
    const { execution, documentTests, newId } = this.#deps;
    const [first] = batch;
    if (first === undefined) return;
    const options = () => callOptions(newId, toTenant(first.job));
    const answers = batch.flatMap(({ job, outcome }) =>
      job.kind === "QUESTION" ? [{ id: job.id, outcome: toAnswer(outcome) }] : [],
    );
    if (answers.length > 0) await documentTests.recordDocumentAnswers({ answers }, options());
    const outcomes = batch.flatMap(({ job, outcome }) =>
      outcome.kind === "judgement" ? [toMessage(job.id, outcome)] : [],
    );
    if (outcomes.length > 0) await execution.recordEvaluations({ outcomes }, options());
    for (const { job, outcome } of batch) {
      if (job.kind !== "PROMPT" || outcome.kind === "judgement" || outcome.kind === "finding") continue;
      const result =
        outcome.kind === "prompt"
          ? { case: "prompt" as const, value: toValue(outcome.prompt) }
          : { case: "failure" as const, value: outcome.reason };
      await execution.setPrompt({ testId: job.testId, result }, options()).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    }
  }
}

/** Returns the number of attempts to record the outcome since it was stored. */
const countAttempts = ({ job, outcome }: Ended) => (job.outcome === outcome ? job.attempts : 0);

/** Converts the outcome of a question to a finding, or the reason why there is none. */
function toAnswer(outcome: Outcome) {
  if (outcome.kind === "finding") {
    const { matches, contradictions, ...finding } = outcome.finding;
    return {
      case: "finding" as const,
      value: { ...finding, matches: [...matches], contradictions: [...contradictions] },
    };
  }
  return { case: "failure" as const, value: outcome.kind === "failure" ? outcome.reason : "no_answer" };
}

function toMessage(
  id: string,
  { kind: _, status, results, ...outcome }: Outcome & { kind: "judgement" },
): EvaluationOutcome {
  const { inputTokens, outputTokens, estimatedTokens, costMicro, uncertainCostMicro, durationMs, message, ...rest } =
    outcome;
  return {
    id,
    ...rest,
    status: EvaluationStatus[status],
    ...(message !== undefined && { message: message.slice(0, 10_000) }),
    // Safe cast: Json allows the same values as JSON.
    ...(results !== undefined && { results: results as JsonObject }),
    ...(inputTokens !== undefined && { inputTokens: BigInt(inputTokens) }),
    ...(outputTokens !== undefined && { outputTokens: BigInt(outputTokens) }),
    ...(estimatedTokens !== undefined && { estimatedTokens: BigInt(estimatedTokens) }),
    ...(costMicro !== undefined && { costMicro: BigInt(Math.round(costMicro)) }),
    ...(uncertainCostMicro !== undefined && { uncertainCostMicro: BigInt(Math.round(uncertainCostMicro)) }),
    ...(durationMs !== undefined && { durationMs: Math.min(durationMs, 2 ** 31 - 1) }),
  };
}
