// Works on jobs: claims what is due in turns between applications, and keeps leases while it works.

import { type BackgroundLoop, runEvery, startLoop } from "@ems/kit/background";
import type { Clock } from "@ems/kit/clock";
import type { Tenant } from "@ems/kit/tenant";
import type { Deps } from "../deps.ts";
import type { Judge } from "../judges/index.ts";
import type { SettingRow } from "../setting.ts";
import type { Connection, Connections } from "./connections.ts";
import { addQuestions, askQuestion } from "./document-questions.ts";
import { callOptions, isNotFound, tenantOf } from "./execution.ts";
import { groupsOf } from "./groups.ts";
import { type Attempt, judgeOne, type Result, type ToInput } from "./judge-test.ts";
import { type MeterDeps, MeteredModel } from "./metered-model.ts";
import type { Consumed } from "./outcome.ts";
import { Recorder } from "./recorder.ts";
import type { Refusal } from "./resume.ts";
import { type Change, RunningJobs } from "./running-jobs.ts";
import { finish, type Job, jobsOf, keepReplies, park } from "./store.ts";
import { JobReplies, type StoredReplies } from "./stored-replies.ts";
import { writePrompt } from "./write-prompt.ts";

export interface WorkerDeps
  extends Pick<Deps, "config" | "execution" | "documentTests" | "relayDatabase" | "newId" | "random" | "log"> {
  readonly clock: Clock;
  readonly judge: Judge;
  readonly toInput: ToInput;
  readonly connections: Connections;
  readonly meter: MeterDeps;
  /** The application's settings, if it has any. */
  readonly settingOf: (tenant: Tenant) => Promise<SettingRow | null>;
  /** Jobs that wait are due, should what refused them have changed meanwhile. */
  readonly resumeIfOver: (tenant: Tenant, refusal: Refusal) => Promise<void>;
}

/** The most jobs that one claim takes of an application: others come in between. */
const perApplicationMax = 8;
/** How long running jobs may go on when the process stops; then they are given back, uncharged. */
const stopWithinMs = 8_000;
/** When a job is looked at again that experiments did not answer for. */
const againMs = 5_000;

/** What a job is judged with. */
interface Means {
  readonly setting: SettingRow | null;
  readonly connection: Connection | undefined;
}

const noMeans: Means = { setting: null, connection: undefined };
const noOutcome = { kind: "failure", reason: "no_prompt: No outcome was kept" } as const;

export class JobWorker {
  readonly #deps: WorkerDeps;
  readonly #jobs: ReturnType<typeof jobsOf>;
  readonly #recorder: Recorder;
  readonly #loop: BackgroundLoop;
  readonly #renewing: BackgroundLoop;
  readonly #running: RunningJobs;
  readonly #work = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  /** Applications whose connection has no room, by `performance.now()`. */
  readonly #blocked = new Map<string, number>();

  constructor(deps: WorkerDeps) {
    const { config, relayDatabase, log } = deps;
    this.#deps = deps;
    this.#jobs = jobsOf(relayDatabase);
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

  /** There may be jobs that are due. */
  wake(): void {
    this.#loop.wake();
  }

  /** Resolves when running jobs have ended or were given back. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    const timer = setTimeout(() => this.#stopping.abort(), stopWithinMs);
    await Promise.all(this.#work);
    clearTimeout(timer);
    await this.#renewing.stop();
  }

  async #claim(): Promise<"more" | "idle"> {
    const claimed = [...(await this.#claimLane(false)), ...(await this.#claimLane(true))];
    for (const group of groupsOf(claimed)) this.#start(group);
    return claimed.length > 0 && this.#free > 0 ? "more" : "idle";
  }

  get #free(): number {
    return this.#deps.config.JOBS_CONCURRENCY - this.#running.size;
  }

  async #claimLane(lane: boolean): Promise<Job[]> {
    if (this.#free <= 0) return [];
    const blocked = lane ? this.#blockedNow() : [];
    return this.#running.claim({ lane, now: this.#deps.clock.now(), rowsMax: this.#free, perApplicationMax, blocked });
  }

  #blockedNow(): string[] {
    const nowMs = performance.now();
    for (const [applicationId, untilMs] of this.#blocked) if (untilMs <= nowMs) this.#blocked.delete(applicationId);
    return [...this.#blocked.keys()];
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

  /** Jobs of one test. */
  async #group(group: readonly Job[]): Promise<void> {
    const registered = group.filter(({ outcome }) => outcome !== null);
    const others = group.filter(({ outcome }) => outcome === null);
    const recorded = registered.map((job) => this.#end(job, { kind: "ended", outcome: job.outcome ?? noOutcome }));
    await Promise.all([...recorded, others.length === 0 ? undefined : this.#attempt(others)]);
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
      if (isNotFound(error)) await this.#drop(jobs);
      else {
        this.#deps.log.warn({ err: error }, "jobs wait: what is judged could not be read");
        const at = new Date(this.#deps.clock.now().getTime() + againMs);
        const parked = jobs.map((job) => {
          const { waitingFor, attempts, consumed } = job;
          return { job, at, waitingFor, attempts, consumed };
        });
        await this.#release(jobs, () => park(this.#jobs, parked));
      }
    }
  }

  async #judge(first: Job, jobs: readonly Job[]): Promise<void> {
    const { execution, newId, judge, toInput, random } = this.#deps;
    const tenant = tenantOf(first);
    const evaluationIds = jobs.map(({ id }) => id);
    const input = await execution.getJudgeInput({ testId: first.testId, evaluationIds }, callOptions(newId, tenant));
    const means = await this.#means(tenant, jobs);
    const evaluations = new Map(input.evaluations.map((evaluation) => [evaluation.id, evaluation]));
    // What is not there ended meanwhile, or a rerun took its place.
    await this.#drop(jobs.filter(({ id }) => !evaluations.has(id)));
    await Promise.all(
      jobs.map(async (job) => {
        const evaluation = evaluations.get(job.id);
        if (evaluation === undefined) return;
        const attempt = this.#attemptOf(job, tenant, means);
        const read = toInput(input, evaluation, means.setting?.votes ?? 1);
        await this.#end(job, await judgeOne(judge, read, evaluation.definition?.version, random, attempt), means);
      }),
    );
  }

  async #writePrompt(job: Job): Promise<void> {
    const { execution, newId, random } = this.#deps;
    const tenant = tenantOf(job);
    const input = await execution.getPromptInput({ testId: job.testId }, callOptions(newId, tenant));
    if (!input.isWaiting) return this.#drop([job]);
    const means = await this.#means(tenant, [job]);
    const attempt = this.#attemptOf(job, tenant, means);
    await this.#end(job, await writePrompt(input, random, attempt), means);
  }

  async #askQuestions(first: Job, jobs: readonly Job[]): Promise<void> {
    const { documentTests, newId, random } = this.#deps;
    const tenant = tenantOf(first);
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
        const attempt = this.#attemptOf(job, tenant, means);
        await this.#end(job, await askQuestion(question, random, attempt), means);
      }),
    );
  }

  async #means(tenant: Tenant, jobs: readonly Job[]): Promise<Means> {
    if (!jobs.some(({ needsModel }) => needsModel)) return noMeans;
    const setting = await this.#deps.settingOf(tenant);
    const connection = await this.#deps.connections.find(tenant, setting?.defaultConnectionId ?? undefined);
    return { setting, connection };
  }

  #attemptOf(job: Job, tenant: Tenant, { connection, setting }: Means): Attempt {
    const { clock, meter, random } = this.#deps;
    const isAsked = connection !== undefined && job.needsModel;
    return {
      job,
      connection,
      model: isAsked ? new MeteredModel(meter, tenant, connection, setting) : undefined,
      replies: isAsked ? new JobReplies(job.replies, connection) : undefined,
      save: (replies, consumed) => this.#saveReplies(job, replies, consumed),
      signal: this.#stopping.signal,
      now: () => clock.now(),
      random: () => random(4).readUInt32BE() / 2 ** 32,
    };
  }

  async #saveReplies(job: Job, replies: StoredReplies, consumed: Consumed): Promise<void> {
    await this.#running.store([job], () => keepReplies(this.#jobs, job, replies, consumed));
  }

  async #end(job: Job, result: Result, means = noMeans): Promise<void> {
    await this.#release([job], async () => {
      if (result.kind === "ended") {
        await this.#recorder.end({ job, outcome: result.outcome });
        return undefined;
      }
      const { parked } = result;
      if (parked.waitingFor === "rate_limit") {
        const untilMs = performance.now() + parked.at.getTime() - this.#deps.clock.now().getTime();
        // The earliest of several: what another job waits longer for may not be what the next one needs.
        const before = this.#blockedNow().includes(job.applicationId)
          ? this.#blocked.get(job.applicationId)
          : undefined;
        this.#blocked.set(job.applicationId, Math.min(untilMs, before ?? untilMs));
      }
      const held = await this.#recorder.wait(parked);
      const { waitingFor } = parked;
      if (waitingFor === "budget" || waitingFor === "model_connection")
        await this.#deps.resumeIfOver(tenantOf(job), { waitingFor, ...means });
      return held;
    });
  }

  async #drop(jobs: readonly Job[]): Promise<void> {
    await this.#release(jobs, () => finish(this.#jobs, jobs, this.#deps.clock.now()));
  }

  async #release(jobs: readonly Job[], change: Change): Promise<void> {
    for (const group of groupsOf(await this.#running.release(jobs, change))) this.#start(group);
  }
}
