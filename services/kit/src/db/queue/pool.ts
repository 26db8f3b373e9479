// A worker pool: runs a limited number of jobs, and claims another when one ends.

import { type BackgroundLoop, type RunResult, startLoop } from "../../background.ts";
import type { Logger } from "../../log.ts";
import type { ClaimQuery } from "./define-queue.ts";
import { firstApplication } from "./statements.ts";

export interface PoolOptions<Job> {
  /** Name in the log: `<name> failed`. */
  readonly name: string;
  /** Interval of checks for abandoned jobs, and for jobs whose backoff has ended. */
  readonly everyMs: number;
  /** Maximum running jobs, in total and per application. */
  readonly runningMax: number;
  readonly perApplicationMax: number;
  readonly log: Logger;
  readonly claim: (query: Omit<ClaimQuery, "lane" | "now" | "leaseMs">) => Promise<readonly Job[]>;
  /** Runs a job. If it rejects, the job is claimed again after its lease ends. `stop` aborts the signal. */
  readonly work: (job: Job, signal: AbortSignal) => Promise<void>;
}

/** Runs jobs until stopped, rotating among applications. No job waits for another one of the same claim. */
export function startPool<Job extends { readonly applicationId: string }>(options: PoolOptions<Job>): BackgroundLoop {
  const { name, everyMs, runningMax, perApplicationMax, log } = options;
  const running = new Set<Promise<void>>();
  const countRunning = new Map<string, number>();
  const stopping = new AbortController();
  let after = firstApplication;
  let hasMore = false;

  const start = (job: Job) => {
    const { applicationId } = job;
    countRunning.set(applicationId, (countRunning.get(applicationId) ?? 0) + 1);
    const work = options
      .work(job, stopping.signal)
      .catch((error: unknown) => log.error({ err: error, applicationId }, `${name} failed: retried after its lease`))
      .finally(() => {
        const left = (countRunning.get(applicationId) ?? 1) - 1;
        if (left > 0) countRunning.set(applicationId, left);
        else countRunning.delete(applicationId);
        running.delete(work);
        if (hasMore) loop.wake();
      });
    running.add(work);
  };
  const claim = async (): Promise<RunResult> => {
    const rowsMax = runningMax - running.size;
    // Set before the claim, because a job that ends during the claim wakes the loop.
    hasMore = true;
    if (rowsMax === 0) return "idle";
    const blocked = [...countRunning].flatMap(([id, count]) => (count >= perApplicationMax ? id : []));
    const claimed = await options.claim({ rowsMax, perApplicationMax, running: countRunning, blocked, after });
    after = claimed.at(-1)?.applicationId ?? after;
    hasMore = blocked.length > 0 || claimed.length >= Math.min(rowsMax, perApplicationMax);
    for (const job of claimed) start(job);
    return hasMore && claimed.length > 0 ? "more" : "idle";
  };
  const loop = startLoop({ name, everyMs, log, work: claim });
  return {
    wake: () => loop.wake(),
    async idle() {
      for (await loop.idle(); running.size > 0; await loop.idle()) await Promise.all(running);
    },
    async stop() {
      await loop.stop();
      stopping.abort();
      await Promise.all(running);
    },
  };
}
