// Runs jobs: claims due jobs, taking applications in turn, and renews the leases of running jobs.

import { type BackgroundLoop, runEvery, startLoop } from "@ems/kit/background";
import type { Clock } from "@ems/kit/clock";
import { isTransient } from "@ems/kit/db/errors";
import type { Tenant } from "@ems/kit/tenant";
import type { Deps } from "../deps.ts";
import type { Judge } from "../judges/index.ts";
import type { SettingRow } from "../setting.ts";
import { BlockedApplications } from "./blocked-applications.ts";
import type { Connection, Connections } from "./connections.ts";
import { addQuestions, askQuestion } from "./document-questions.ts";
import { callOptions, isNotFound, toTenant } from "./execution.ts";
import { groupJobs } from "./groups.ts";
import {
  type Attempt,
  afterFailure,
  ifExhausted,
  judgeOne,
  type Result,
  type ToInput,
  unstorable,
} from "./judge-test.ts";
import { type MeterDeps, MeteredModel } from "./metered-model.ts";
import type { Consumed } from "./outcome.ts";
import { Recorder } from "./recorder.ts";
import type { Refusal } from "./resume.ts";
import { type Change, RunningJobs } from "./running-jobs.ts";
import { finish, type Job, jobQueue, keepReplies, park, type Store } from "./store.ts";
import { JobReplies, type StoredReplies } from "./stored-replies.ts";
import { writePrompt } from "./write-prompt.ts";

export interface WorkerDeps
  extends Pick<Deps, "config" | "execution" | "documentTests" | "relayDatabase" | "newId" | "random" | "log"> {
  readonly clock: Clock;
  readonly judge: Judge;
  readonly toInput: ToInput;
  readonly connections: Connections;
  readonly meter: MeterDeps;
  /** Returns the application's settings, if it has any. */
  readonly findSetting: (tenant: Tenant) => Promise<SettingRow | null>;
  /** Makes waiting jobs due if the reason for their wait changed while they were being parked. */
  readonly resumeIfOver: (tenant: Tenant, refusal: Refusal) => Promise<void>;
}

/** Maximum number of jobs that one claim takes from one application, so that other applications get their turn. */
const perApplicationMax = 8;
/** Time for which running jobs may continue when the process stops; then they are released without charge. */
const stopWithinMs = 8_000;
/** Retry delay when experiments does not respond. */
const againMs = 5_000;

/** The model and settings with which a job is judged. */
interface Means {
  readonly setting: SettingRow | null;
  readonly connection: Connection | undefined;
}

const noMeans: Means = { setting: null, connection: undefined };
const noOutcome = { kind: "failure", reason: "no_prompt: No outcome was stored" } as const;

export class JobWorker {
  readonly #deps: WorkerDeps;
  readonly #jobs: Store;
  readonly #recorder: Recorder;
  readonly #loop: BackgroundLoop;
  readonly #renewing: BackgroundLoop;
  readonly #running: RunningJobs;
  readonly #work = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #blocked = new BlockedApplications();

  constructor(deps: WorkerDeps) {
    const { config, relayDatabase, log } = deps;
    this.#deps = deps;
    this.#jobs = jobQueue.on(relayDatabase);
    this.#recorder = new Recorder({ ...deps, jobs: this.#jobs });
    const { signal } = this.#stopping;
    this.#running = new RunningJobs({ jobs: this.#jobs, relayDatabase, leaseMs: config.JOBS_LEASE_MS, log, signal });
    this.#loop = startLoop({
      name: "claiming jobs",
      everyMs: config.JOBS_POLL_MS,
      backoffMaxMs: 5_000,
      log,
      work: () => this.#claim(),
    });
    this.#renewing = runEvery("renewing leases of jobs", config.JOBS_LEASE_MS / 4, () => this.#running.renew(), log);
  }

  /** Makes the worker look for due jobs immediately. */
  wake(): void {
    this.#loop.wake();
  }

  /** Stops the worker; resolves when its running jobs have ended or were released. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    const timer = setTimeout(() => this.#stopping.abort(), stopWithinMs);
    await Promise.all(this.#work);
    clearTimeout(timer);
    await this.#renewing.stop();
  }

  async #claim(): Promise<"more" | "idle"> {
    const claimed = [...(await this.#claimLane(false)), ...(await this.#claimLane(true))];
    for (const group of groupJobs(claimed)) this.#start(group);
    return claimed.length > 0 && this.#free > 0 ? "more" : "idle";
  }

  get #free(): number {
    return this.#deps.config.JOBS_CONCURRENCY - this.#running.size;
  }

  async #claimLane(lane: boolean): Promise<Job[]> {
    if (this.#free <= 0) return [];
    const blocked = lane ? this.#blocked.now() : [];
    return this.#running.claim({ lane, now: this.#deps.clock.now(), rowsMax: this.#free, perApplicationMax, blocked });
  }

  #start(group: readonly Job[]): void {
    const work = this.#group(group)
      .catch((error: unknown) => this.#deps.log.error({ err: error }, "work on jobs failed"))
      .finally(() => {
        this.#running.remove(group);
        this.#work.delete(work);
        this.wake();
      });
    this.#work.add(work);
  }

  /** Runs the jobs of one test. */
  async #group(group: readonly Job[]): Promise<void> {
    const registered = group.filter(({ outcome }) => outcome !== null);
    const unfinished = group.filter(({ outcome }) => outcome === null);
    const recorded = registered.map((job) => this.#end(job, { kind: "ended", outcome: job.outcome ?? noOutcome }));
    const exhausted = unfinished.map((job) => ({ job, result: ifExhausted(this.#attemptOf(job, noMeans)) }));
    const ended = exhausted.map(({ job, result }) => result && this.#end(job, result));
    const jobs = exhausted.flatMap(({ job, result }) => (result === undefined ? [job] : []));
    await Promise.all([...recorded, ...ended, this.#attempt(jobs)]);
  }

  async #attempt(jobs: readonly Job[]): Promise<void> {
    const [first] = jobs;
    if (first === undefined) return;
    try {
      if (first.kind === "PROMPT") await this.#writePrompt(first);
      else if (first.kind === "JUDGE") await this.#judge(first, jobs);
      else if (first.kind === "QUESTION") await this.#askQuestions(first, jobs);
      else {
        await addQuestions(this.#deps, first);
        await this.#drop(jobs);
      }
    } catch (error) {
      if (isNotFound(error)) return this.#drop(jobs);
      const { clock, log } = this.#deps;
      if (!isTransient(error) && first.kind !== "DOCUMENTS") {
        await Promise.all(jobs.map((job) => this.#end(job, afterFailure(this.#attemptOf(job, noMeans), error))));
        return;
      }
      log.warn({ err: error }, "jobs wait: the data to judge could not be read");
      const at = new Date(clock.now().getTime() + againMs);
      const parked = jobs.map((job) => ({ ...job, job, at, replies: null }));
      await this.#release(jobs, () => park(this.#jobs, parked));
    }
  }

  async #judge(first: Job, jobs: readonly Job[]): Promise<void> {
    const { execution, newId, judge, toInput, random } = this.#deps;
    const tenant = toTenant(first);
    const evaluationIds = jobs.map(({ id }) => id);
    const input = await execution.getJudgeInput({ testId: first.testId, evaluationIds }, callOptions(newId, tenant));
    const means = await this.#means(tenant, jobs);
    const evaluations = new Map(input.evaluations.map((evaluation) => [evaluation.id, evaluation]));
    // Missing evaluations have ended already, or were replaced by a rerun.
    await this.#drop(jobs.filter(({ id }) => !evaluations.has(id)));
    await Promise.all(
      jobs.map(async (job) => {
        const evaluation = evaluations.get(job.id);
        if (evaluation === undefined) return;
        await this.#try(job, means, (attempt) => {
          const read = toInput(input, evaluation, means.setting?.votes ?? 1);
          return judgeOne(judge, read, evaluation.definition?.version, random, attempt);
        });
      }),
    );
  }

  async #writePrompt(job: Job): Promise<void> {
    const { execution, newId, random } = this.#deps;
    const tenant = toTenant(job);
    const input = await execution.getPromptInput({ testId: job.testId }, callOptions(newId, tenant));
    if (!input.isWaiting) return this.#drop([job]);
    const means = await this.#means(tenant, [job]);
    await this.#try(job, means, (attempt) => writePrompt(input, random, attempt));
  }

  async #askQuestions(first: Job, jobs: readonly Job[]): Promise<void> {
    const { documentTests, newId, random } = this.#deps;
    const tenant = toTenant(first);
    const ids = jobs.map(({ id }) => id);
    const [{ questions }, means] = await Promise.all([
      documentTests.getDocumentQuestions({ ids }, callOptions(newId, tenant)),
      this.#means(tenant, jobs),
    ]);
    const open = new Map(questions.map((question) => [question.id, question]));
    await this.#drop(jobs.filter(({ id }) => !open.has(id)));
    await Promise.all(
      jobs.map(async (job) => {
        const question = open.get(job.id);
        if (question === undefined) return;
        await this.#try(job, means, (attempt) => askQuestion(question, random, attempt));
      }),
    );
  }

  async #means(tenant: Tenant, jobs: readonly Job[]): Promise<Means> {
    if (!jobs.some(({ needsModel }) => needsModel)) return noMeans;
    const setting = await this.#deps.findSetting(tenant);
    const connection = await this.#deps.connections.find(tenant, setting?.defaultConnectionId ?? undefined);
    return { setting, connection };
  }

  /** Runs an attempt. Never rejects, so that the other jobs of the group continue. */
  async #try(job: Job, means: Means, work: (attempt: Attempt) => Promise<Result>): Promise<void> {
    const attempt = this.#attemptOf(job, means);
    const result = await Promise.resolve(attempt)
      .then(work)
      .catch((error: unknown) => afterFailure(attempt, error));
    await this.#end(job, result, means);
  }

  #attemptOf(job: Job, { connection, setting }: Means): Attempt {
    const { clock, log, meter, random } = this.#deps;
    const isAsked = connection !== undefined && job.needsModel;
    return {
      job,
      connection,
      model: isAsked ? new MeteredModel(meter, toTenant(job), connection, setting) : undefined,
      replies: isAsked ? new JobReplies(job.replies, connection) : undefined,
      save: (replies, consumed) => this.#saveReplies(job, replies, consumed),
      signal: this.#stopping.signal,
      now: () => clock.now(),
      random: () => random(4).readUInt32BE() / 2 ** 32,
      log,
    };
  }

  async #saveReplies(job: Job, replies: StoredReplies, consumed: Consumed): Promise<void> {
    await this.#running.store([job], () => keepReplies(this.#jobs, job, replies, consumed));
  }

  /** Stores the result, or that it cannot be stored. Never rejects: then the lease ends and an attempt is counted. */
  async #end(job: Job, result: Result, means = noMeans): Promise<void> {
    const { log } = this.#deps;
    try {
      await this.#store(job, result, means);
    } catch (error) {
      log.error({ err: error, jobId: job.id }, "a job's result cannot be stored");
      // Transient errors were retried until the process stopped.
      if (isTransient(error)) return;
      await this.#store(job, { kind: "ended", outcome: unstorable(job, result) }, noMeans).catch((second: unknown) =>
        log.error({ err: second, jobId: job.id }, "a job cannot be ended"),
      );
    }
  }

  async #store(job: Job, result: Result, means: Means): Promise<void> {
    await this.#release([job], async () => {
      if (result.kind === "ended") {
        await this.#recorder.end({ job, outcome: result.outcome });
        return undefined;
      }
      const { parked } = result;
      if (parked.waitingFor === "rate_limit")
        this.#blocked.block(job.applicationId, parked.at.getTime() - this.#deps.clock.now().getTime());
      const held = await this.#recorder.wait(parked);
      const { waitingFor } = parked;
      if (waitingFor === "budget" || waitingFor === "model_connection")
        await this.#resumeIfOver(job, { waitingFor, ...means });
      return held;
    });
  }

  /** Makes the parked job due if the reason for its wait is over. Errors here must not change the job's result. */
  async #resumeIfOver(job: Job, refusal: Refusal): Promise<void> {
    const { log, resumeIfOver } = this.#deps;
    await resumeIfOver(toTenant(job), refusal).catch((error: unknown) => {
      if (isTransient(error)) throw error;
      log.error({ err: error, jobId: job.id }, "a waiting job could not be resumed");
    });
  }

  async #drop(jobs: readonly Job[]): Promise<void> {
    await this.#release(jobs, () => finish(this.#jobs, jobs, this.#deps.clock.now()));
  }

  async #release(jobs: readonly Job[], change: Change): Promise<void> {
    for (const group of groupJobs(await this.#running.release(jobs, change))) this.#start(group);
  }
}
