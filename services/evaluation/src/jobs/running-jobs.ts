// Jobs that this process works on. Their leases are renewed, and what became of them is stored through outages of the database:
// an answer that was paid for stays in memory until the database takes it, or the process ends.

import { type ClaimQuery, firstApplication } from "@ems/kit/db/queue";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { retryTransient } from "@ems/kit/db/retry";
import type { Logger } from "@ems/kit/log";
import { keyOf } from "./groups.ts";
import { type Job, renewedLeases, type Store } from "./store.ts";

export interface RunningJobsOptions {
  readonly jobs: Store;
  readonly relayDatabase: RelayDatabase;
  readonly leaseMs: number;
  readonly log: Logger;
  /** Ends the retries of stores: the process stops. */
  readonly signal: AbortSignal;
}

/** Stores the jobs, idempotently. Answers how many leases still held, where it matters. */
export type Change = () => Promise<number | undefined>;

/** Tries of a store whose lease went to a claim of this very process, which gives the job another token. */
const claimsMax = 3;

export class RunningJobs {
  readonly #options: RunningJobsOptions;
  readonly #running = new Map<string, Job>();
  /** Jobs that a statement is storing: a renewal would change the token that it names. */
  readonly #storing = new Set<Job>();
  /** Jobs that were claimed while they were running, as the claim read them. */
  readonly #claimedAgain = new Map<string, Job>();
  /** Jobs whose last renewal brought no answer: they may have another token. */
  readonly #maybeRenewed = new WeakSet<Job>();
  /** Jobs whose release brought no answer: they may be another process's by now. */
  readonly #maybeReleased = new WeakSet<Job>();
  #renewal: Promise<unknown> = Promise.resolve();
  #claiming: Promise<unknown> = Promise.resolve();
  #after = firstApplication;

  constructor(options: RunningJobsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#running.size;
  }

  /** Claims due jobs, which are running from now on. */
  async claim(query: Omit<ClaimQuery, "leaseMs" | "running" | "after">): Promise<Job[]> {
    const { jobs, leaseMs } = this.#options;
    const claiming = jobs.claim({ ...query, leaseMs, running: this.#counts(), after: this.#after });
    const added = claiming.then((claimed) => {
      this.#after = claimed.at(-1)?.applicationId ?? this.#after;
      return claimed.filter((job) => this.#add(job));
    });
    this.#claiming = added.catch(() => undefined);
    return added;
  }

  /** Prolongs the leases of jobs that are not being stored. */
  async renew(): Promise<void> {
    const held = [...this.#running.values()].filter((job) => !this.#storing.has(job));
    const renewal = this.#renew(held);
    this.#renewal = renewal.catch(() => undefined);
    await renewal;
  }

  async #renew(held: readonly Job[]): Promise<void> {
    const { jobs, leaseMs } = this.#options;
    await this.#findRenewed(held);
    for (const job of held) this.#maybeRenewed.add(job);
    update(held, await jobs.renew(held, leaseMs));
    for (const job of held) this.#maybeRenewed.delete(job);
  }

  /** Takes up the tokens of renewals whose answers were lost. */
  async #findRenewed(held: readonly Job[]): Promise<void> {
    const jobs = held.filter((job) => this.#maybeRenewed.has(job));
    const own = jobs.filter((job) => !this.#maybeReleased.has(job));
    if (own.length > 0) update(own, await renewedLeases(this.#options.relayDatabase, own));
    for (const job of jobs) this.#maybeRenewed.delete(job);
  }

  /** Stores something of jobs that go on running, again and again while the database is away. */
  async store(jobs: readonly Job[], change: Change): Promise<void> {
    await this.#retried(jobs, change);
  }

  /**
   * As `store`, for jobs that end or wait: they are not running afterwards. Answers those that a claim of this process took up
   * again since, which are.
   */
  async release(jobs: readonly Job[], change: Change): Promise<Job[]> {
    const tokens = await this.#retried(jobs, async () => {
      for (const job of jobs) this.#maybeReleased.add(job);
      const held = await change();
      for (const job of jobs) this.#maybeReleased.delete(job);
      return held;
    });
    return jobs.flatMap((job, at) => {
      const reclaimed = this.#claimedAgain.get(keyOf(job));
      this.remove([job]);
      if (reclaimed === undefined || job.leasedUntil === tokens[at]) return [];
      this.#running.set(keyOf(reclaimed), reclaimed);
      return [reclaimed];
    });
  }

  /** Ends the work on jobs: what was not stored is left to their leases. */
  remove(jobs: readonly Job[]): void {
    for (const job of jobs) {
      if (this.#running.get(keyOf(job)) !== job) continue;
      this.#running.delete(keyOf(job));
      this.#claimedAgain.delete(keyOf(job));
    }
  }

  #counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { applicationId } of this.#running.values())
      counts.set(applicationId, (counts.get(applicationId) ?? 0) + 1);
    return counts;
  }

  /** Whether the job is new here. One that runs here, and whose lease was lost, goes on with the new one. */
  #add(job: Job): boolean {
    const key = keyOf(job);
    const running = this.#running.get(key);
    if (running === undefined) {
      this.#running.set(key, job);
      return true;
    }
    running.leasedUntil = job.leasedUntil;
    this.#claimedAgain.set(key, job);
    return false;
  }

  /** Answers the tokens that the jobs were stored under. Leases are renewed between the tries. */
  #retried(jobs: readonly Job[], change: Change): Promise<Date[]> {
    const { signal, log } = this.#options;
    return retryTransient(() => this.#try(jobs, change), {
      signal,
      onRetry: (error) => log.warn({ err: error, count: jobs.length }, "jobs cannot be stored yet"),
    });
  }

  async #try(jobs: readonly Job[], change: Change): Promise<Date[]> {
    for (const job of jobs) this.#storing.add(job);
    try {
      await this.#renewal;
      await this.#findRenewed(jobs);
      for (let tries = 1; ; tries++) {
        const tokens = jobs.map(({ leasedUntil }) => leasedUntil);
        const held = (await change()) ?? jobs.length;
        if (held >= jobs.length || tries === claimsMax) return tokens;
        await this.#claiming;
        // The leases that were lost are another process's, unless this one claimed its own jobs again after an outage.
        if (jobs.every(({ leasedUntil }, at) => leasedUntil === tokens[at])) return tokens;
      }
    } finally {
      for (const job of jobs) this.#storing.delete(job);
    }
  }
}

function update(jobs: readonly Job[], leases: readonly Pick<Job, "applicationId" | "id" | "leasedUntil">[]): void {
  const tokens = new Map(leases.map((lease) => [keyOf(lease), lease.leasedUntil]));
  for (const job of jobs) job.leasedUntil = tokens.get(keyOf(job)) ?? job.leasedUntil;
}
