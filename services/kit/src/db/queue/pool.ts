// A pool of jobs: works on so many at a time, and claims another as soon as one has ended.

import { type BackgroundLoop, type RunResult, startLoop } from "../../background.ts";
import type { Logger } from "../../log.ts";
import type { ClaimQuery } from "./define-queue.ts";
import { firstApplication } from "./statements.ts";

export interface PoolOptions<Job> {
  /** As the log calls it: `<name> failed`. */
  readonly name: string;
  /** Looks for jobs that other processes left, and those whose backoff has ended. */
  readonly everyMs: number;
  /** Jobs at a time, and of one application. */
  readonly runningMax: number;
  readonly perApplicationMax: number;
  readonly log: Logger;
  readonly claim: (query: Omit<ClaimQuery, "lane" | "now" | "leaseMs">) => Promise<readonly Job[]>;
  /** A rejection is logged, and leaves the job to its lease; `stop` aborts the signal. */
  readonly work: (job: Job, signal: AbortSignal) => Promise<void>;
}

/** Works on jobs until it is stopped, in turns between applications: no job waits for another that was claimed with it. */
export function startPool<Job extends { readonly applicationId: string }>(options: PoolOptions<Job>): BackgroundLoop {
  const { name, everyMs, runningMax, perApplicationMax, log } = options;
  const running = new Set<Promise<void>>();
  const runningOf = new Map<string, number>();
  const stopping = new AbortController();
  let after = firstApplication;
  let hasMore = false;

  const start = (job: Job) => {
    const { applicationId } = job;
    runningOf.set(applicationId, (runningOf.get(applicationId) ?? 0) + 1);
    const work = options
      .work(job, stopping.signal)
      .catch((error: unknown) => log.error({ err: error, applicationId }, `${name} failed: left to its lease`))
      .finally(() => {
        const left = (runningOf.get(applicationId) ?? 1) - 1;
        if (left > 0) runningOf.set(applicationId, left);
        else runningOf.delete(applicationId);
        running.delete(work);
        if (hasMore) loop.wake();
      });
    running.add(work);
  };
  const claim = async (): Promise<RunResult> => {
    const rowsMax = runningMax - running.size;
    // Set before the claim: a job that ends meanwhile wakes the loop.
    hasMore = true;
    if (rowsMax === 0) return "idle";
    const blocked = [...runningOf].flatMap(([id, count]) => (count >= perApplicationMax ? id : []));
    const claimed = await options.claim({ rowsMax, perApplicationMax, running: runningOf, blocked, after });
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
