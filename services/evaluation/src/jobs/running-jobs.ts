// Jobs that this process runs. It renews their leases, and stores results through database outages: a paid answer
// stays in memory until the database stores it, or the process ends.

import { type ClaimQuery, firstApplication } from "@ems/kit/db/queue";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { retryTransient } from "@ems/kit/db/retry";
import type { Logger } from "@ems/kit/log";
import { getKey } from "./groups.ts";
import { type Job, renewedLeases, type Store } from "./store.ts";

export interface RunningJobsOptions {
  readonly jobs: Store;
  readonly relayDatabase: RelayDatabase;
  readonly leaseMs: number;
  readonly log: Logger;
  /** Aborts the retries of stores when the process stops. */
  readonly signal: AbortSignal;
}

/** Stores the jobs, idempotently. Returns the number of leases that were still valid, if it matters. */
export type Change = () => Promise<number | undefined>;

/** Maximum attempts of a store whose job this process claimed again in the meantime, which changes its token. */
const claimsMax = 3;

export class RunningJobs {
  readonly #options: RunningJobsOptions;
  readonly #running = new Map<string, Job>();
  /** Jobs that a statement is storing: a renewal would change the token in its condition. */
  readonly #storing = new Set<Job>();
  /** Jobs that were claimed while they were running, in the state that the claim read. */
  readonly #claimedAgain = new Map<string, Job>();
  /** Jobs whose last renewal got no answer: they may have another token. */
  readonly #maybeRenewed = new WeakSet<Job>();
  /** Jobs whose release got no answer: they may belong to another process. */
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

  /** Claims due jobs, and adds them to the running ones. */
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

  /** Renews the leases of jobs that are not being stored. */
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

  /** Reads the tokens of renewals whose answers were lost. */
  async #findRenewed(held: readonly Job[]): Promise<void> {
    const jobs = held.filter((job) => this.#maybeRenewed.has(job));
    const own = jobs.filter((job) => !this.#maybeReleased.has(job));
    if (own.length > 0) update(own, await renewedLeases(this.#options.relayDatabase, own));
    for (const job of jobs) this.#maybeRenewed.delete(job);
  }

  /** Stores data of jobs that continue to run, with retries while the database is unavailable. */
  async store(jobs: readonly Job[], change: Change): Promise<void> {
    await this.#retried(jobs, change);
  }

  /**
   * Like `store`, for jobs that end or wait and stop running. Returns those that a claim of this process has started
   * again.
   */
  async release(jobs: readonly Job[], change: Change): Promise<Job[]> {
    const tokens = await this.#retried(jobs, async () => {
      for (const job of jobs) this.#maybeReleased.add(job);
      const held = await change();
      for (const job of jobs) this.#maybeReleased.delete(job);
      return held;
    });
    return jobs.flatMap((job, at) => {
      const reclaimed = this.#claimedAgain.get(getKey(job));
      this.remove([job]);
      if (reclaimed === undefined || job.leasedUntil === tokens[at]) return [];
      this.#running.set(getKey(reclaimed), reclaimed);
      return [reclaimed];
    });
  }

  /** Removes jobs: results that were not stored are left to the leases. */
  remove(jobs: readonly Job[]): void {
    for (const job of jobs) {
      if (this.#running.get(getKey(job)) !== job) continue;
      this.#running.delete(getKey(job));
      this.#claimedAgain.delete(getKey(job));
    }
  }

  #counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { applicationId } of this.#running.values())
      counts.set(applicationId, (counts.get(applicationId) ?? 0) + 1);
    return counts;
  }

  /** Returns whether the job is new here. A running job whose lease was lost continues with the new lease. */
  #add(job: Job): boolean {
    const key = getKey(job);
    const running = this.#running.get(key);
    if (running === undefined) {
      this.#running.set(key, job);
      return true;
    }
    running.leasedUntil = job.leasedUntil;
    this.#claimedAgain.set(key, job);
    return false;
  }

  /** Returns the tokens under which the jobs were stored. Leases are renewed between attempts. */
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
        // Lost leases belong to another process, unless this one has claimed its own jobs again after an outage.
        if (jobs.every(({ leasedUntil }, at) => leasedUntil === tokens[at])) return tokens;
      }
    } finally {
      for (const job of jobs) this.#storing.delete(job);
    }
  }
}

function update(jobs: readonly Job[], leases: readonly Pick<Job, "applicationId" | "id" | "leasedUntil">[]): void {
  const tokens = new Map(leases.map((lease) => [getKey(lease), lease.leasedUntil]));
  for (const job of jobs) job.leasedUntil = tokens.get(getKey(job)) ?? job.leasedUntil;
}
