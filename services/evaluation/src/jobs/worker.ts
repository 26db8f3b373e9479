// Works on jobs: claims what is due in turns between applications, and keeps leases while it works.

import { type BackgroundLoop, runEvery, startLoop } from "@ems/kit/background";
import type { Clock } from "@ems/kit/clock";
import { firstApplication } from "@ems/kit/db/leased-jobs";
import type { Tenant } from "@ems/kit/tenant";
import type { Deps } from "../deps.ts";
import type { Judge } from "../judges/index.ts";
import type { SettingRow } from "../setting.ts";
import type { Connection, Connections } from "./connections.ts";
import { addQuestions, askQuestion } from "./document-questions.ts";
import { callOptions, isNotFound, tenantOf } from "./execution.ts";
import { groupsOf, keyOf } from "./groups.ts";
import { type Attempt, judgeOne, type Result, type ToInput } from "./judge-test.ts";
import { type MeterDeps, MeteredModel } from "./metered-model.ts";
import type { Consumed } from "./outcome.ts";
import { Recorder } from "./recorder.ts";
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
  /** Jobs that wait for a budget are due, should budgets have changed since `setting` was read. */
  readonly resumeIfChanged: (tenant: Tenant, setting: SettingRow | null) => Promise<void>;
}

/** The most jobs that one claim takes of an application: others come in between. */
const perApplicationMax = 8;
/** How long running jobs may go on when the process stops; then they are given back, uncharged. */
const stopWithinMs = 8_000;
/** When a job is looked at again that experiments did not answer for. */
const againMs = 5_000;

const noOutcome = { kind: "failure", reason: "no_prompt: No outcome was kept" } as const;

export class JobWorker {
  readonly #deps: WorkerDeps;
  readonly #jobs: ReturnType<typeof jobsOf>;
  readonly #recorder: Recorder;
  readonly #loop: BackgroundLoop;
  readonly #renewing: BackgroundLoop;
  readonly #running = new Map<string, Job>();
  readonly #work = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  /** Applications whose connection has no room, by `performance.now()`. */
  readonly #blocked = new Map<string, number>();
  #renewal: Promise<void> = Promise.resolve();
  #after = firstApplication;

  constructor(deps: WorkerDeps) {
    const { config, relayDatabase, log } = deps;
    this.#deps = deps;
    this.#jobs = jobsOf(relayDatabase);
    this.#recorder = new Recorder({ ...deps, jobs: this.#jobs });
    this.#loop = startLoop({
      name: "claiming jobs",
      everyMs: config.JOBS_POLL_MS,
      backoffMaxMs: 5_000,
      log,
      work: () => this.#claim(),
    });
    this.#renewing = runEvery("renewing leases of jobs", config.JOBS_LEASE_MS / 4, () => this.#renew(), log);
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
    const { config, clock } = this.#deps;
    if (this.#free <= 0) return [];
    const claimed = await this.#jobs.claim({
      lane,
      now: clock.now(),
      leaseMs: config.JOBS_LEASE_MS,
      rowsMax: this.#free,
      perApplicationMax,
      running: this.#runningOf(),
      blocked: lane ? this.#blockedNow() : [],
      after: this.#after,
    });
    this.#after = claimed.at(-1)?.applicationId ?? this.#after;
    // A job that runs here and whose lease was lost goes on with the new one.
    const fresh = claimed.filter((job) => {
      const running = this.#running.get(keyOf(job));
      if (running !== undefined) running.leasedUntil = job.leasedUntil;
      return running === undefined;
    });
    for (const job of fresh) this.#running.set(keyOf(job), job);
    return fresh;
  }

  #runningOf(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { applicationId } of this.#running.values())
      counts.set(applicationId, (counts.get(applicationId) ?? 0) + 1);
    return counts;
  }

  #blockedNow(): string[] {
    const nowMs = performance.now();
    for (const [applicationId, untilMs] of this.#blocked) if (untilMs <= nowMs) this.#blocked.delete(applicationId);
    return [...this.#blocked.keys()];
  }

  async #renew(): Promise<void> {
    const held = [...this.#running.values()];
    const renewal = this.#jobs.renew(held, this.#deps.config.JOBS_LEASE_MS).then((renewed) => {
      const tokens = new Map(renewed.map((lease) => [keyOf(lease), lease.leasedUntil]));
      for (const job of held) job.leasedUntil = tokens.get(keyOf(job)) ?? job.leasedUntil;
    });
    this.#renewal = renewal.catch(() => undefined);
    await renewal;
  }

  #start(group: readonly Job[]): void {
    const work = this.#group(group)
      .catch((error: unknown) => this.#deps.log.error({ err: error }, "work on jobs failed"))
      .finally(() => {
        for (const job of group) this.#running.delete(keyOf(job));
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
        await this.#held(jobs, () => park(this.#jobs, parked));
      }
    }
  }

  async #judge(first: Job, jobs: readonly Job[]): Promise<void> {
    const { execution, newId, judge, toInput, random } = this.#deps;
    const tenant = tenantOf(first);
    const evaluationIds = jobs.map(({ id }) => id);
    const input = await execution.getJudgeInput({ testId: first.testId, evaluationIds }, callOptions(newId, tenant));
    const { setting, connection } = await this.#means(tenant, jobs);
    const evaluations = new Map(input.evaluations.map((evaluation) => [evaluation.id, evaluation]));
    // What is not there ended meanwhile, or a rerun took its place.
    await this.#drop(jobs.filter(({ id }) => !evaluations.has(id)));
    await Promise.all(
      jobs.map(async (job) => {
        const evaluation = evaluations.get(job.id);
        if (evaluation === undefined) return;
        const attempt = this.#attemptOf(job, tenant, connection, setting);
        const read = toInput(input, evaluation, setting?.votes ?? 1);
        await this.#end(job, await judgeOne(judge, read, evaluation.definition?.version, random, attempt), setting);
      }),
    );
  }

  async #writePrompt(job: Job): Promise<void> {
    const { execution, newId, random } = this.#deps;
    const tenant = tenantOf(job);
    const input = await execution.getPromptInput({ testId: job.testId }, callOptions(newId, tenant));
    if (!input.isWaiting) return this.#drop([job]);
    const { setting, connection } = await this.#means(tenant, [job]);
    const attempt = this.#attemptOf(job, tenant, connection, setting);
    await this.#end(job, await writePrompt(input, random, attempt), setting);
  }

  async #askQuestions(first: Job, jobs: readonly Job[]): Promise<void> {
    const { documentTests, newId, random } = this.#deps;
    const tenant = tenantOf(first);
    const ids = jobs.map(({ id }) => id);
    const [{ questions }, { setting, connection }] = await Promise.all([
      documentTests.getDocumentQuestions({ ids }, callOptions(newId, tenant)),
      this.#means(tenant, jobs),
    ]);
    const open = new Map(questions.map((question) => [question.id, question]));
    await this.#drop(jobs.filter(({ id }) => !open.has(id)));
    await Promise.all(
      jobs.map(async (job) => {
        const question = open.get(job.id);
        if (question === undefined) return;
        const attempt = this.#attemptOf(job, tenant, connection, setting);
        await this.#end(job, await askQuestion(question, random, attempt), setting);
      }),
    );
  }

  async #means(tenant: Tenant, jobs: readonly Job[]) {
    if (!jobs.some(({ needsModel }) => needsModel)) return { setting: null, connection: undefined };
    const setting = await this.#deps.settingOf(tenant);
    const connection = await this.#deps.connections.find(tenant, setting?.defaultConnectionId ?? undefined);
    return { setting, connection };
  }

  #attemptOf(job: Job, tenant: Tenant, connection: Connection | undefined, setting: SettingRow | null): Attempt {
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
    for (let tries = 0; tries < 2; tries++) {
      // A renewal under way changes the token that the statement names; one that begins meanwhile is why it is tried again.
      await this.#renewal;
      if ((await keepReplies(this.#jobs, job, replies, consumed)) > 0) return;
    }
  }

  async #end(job: Job, result: Result, setting: SettingRow | null = null): Promise<void> {
    await this.#held([job], async () => {
      if (result.kind === "ended") return this.#recorder.end({ job, outcome: result.outcome });
      const { parked } = result;
      if (parked.waitingFor === "rate_limit") {
        const untilMs = performance.now() + parked.at.getTime() - this.#deps.clock.now().getTime();
        // The earliest of several: what another job waits longer for may not be what the next one needs.
        const before = this.#blockedNow().includes(job.applicationId)
          ? this.#blocked.get(job.applicationId)
          : undefined;
        this.#blocked.set(job.applicationId, Math.min(untilMs, before ?? untilMs));
      }
      await this.#recorder.wait(parked);
      if (parked.waitingFor === "budget") await this.#deps.resumeIfChanged(tenantOf(job), setting);
    });
  }

  async #drop(jobs: readonly Job[]): Promise<void> {
    await this.#held(jobs, () => finish(this.#jobs, jobs, this.#deps.clock.now()));
  }

  /** From here on the lease is not renewed: a renewal would change the token under the statement that names it. */
  async #held(jobs: readonly Job[], change: () => Promise<unknown>): Promise<void> {
    for (const job of jobs) this.#running.delete(keyOf(job));
    await this.#renewal;
    await change();
  }
}
