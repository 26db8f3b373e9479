// The jobs that this process runs. Renews their leases, and stores results even if the database is unavailable for a
// while: a paid answer stays in memory until it is stored, or the process ends.

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
  /** Aborts retries of database writes when the process stops. */
  readonly signal: AbortSignal;
}

/** Writes the jobs, idempotently. Returns the number of leases that were still valid, if it matters. */
export type Change = () => Promise<number | undefined>;

/** Maximum number of writes of a job that this process has claimed a second time, which changes its token. */
const claimsMax = 3;

export class RunningJobs {
  readonly #options: RunningJobsOptions;
  readonly #running = new Map<string, Job>();
  /** Jobs that are being written: renewing a lease would change the token in the write's condition. */
  readonly #storing = new Set<Job>();
  /** Jobs that were claimed while they were running, as read by the claim. */
  readonly #claimedAgain = new Map<string, Job>();
  /** Jobs whose last renewal was not answered, so that their token may have changed. */
  readonly #maybeRenewed = new WeakSet<Job>();
  /** Jobs whose release was not answered, so that another process may have claimed them. */
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

  /** Claims due jobs and adds them to the running jobs. */
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

  /** Renews the leases of all jobs that are not being written. */
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

  /** Reads the tokens after renewals that were not answered. */
  async #findRenewed(held: readonly Job[]): Promise<void> {
    const jobs = held.filter((job) => this.#maybeRenewed.has(job));
    const own = jobs.filter((job) => !this.#maybeReleased.has(job));
    if (own.length > 0) update(own, await renewedLeases(this.#options.relayDatabase, own));
    for (const job of jobs) this.#maybeRenewed.delete(job);
  }

  /** Writes data of jobs that continue to run; retries while the database is unavailable. */
  async store(jobs: readonly Job[], change: Change): Promise<void> {
    await this.#retried(jobs, change);
  }

  /**
   * Like `store`, for jobs that end or wait and so stop running. Returns the jobs that this process has claimed again:
   * they start once more.
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

  /** Removes jobs without storing a result: they can be claimed when their leases end. */
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

  /** Adds a claimed job. Returns false if it already runs here: it lost its lease and continues with the new one. */
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

  /** Writes jobs and returns the tokens with which they were written. Leases are renewed between attempts. */
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
        // A lost lease belongs to another process, unless this one has claimed its own job again after an outage.
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
