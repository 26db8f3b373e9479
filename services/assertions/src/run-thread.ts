// Runs work that cannot be interrupted in a thread, within limits of time and memory.

import { Worker } from "node:worker_threads";
import { overloaded } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import type { SchemaRequest } from "./find-violation.ts";
import type { SearchRequest } from "./matches.ts";

/** Work of a thread, with the type of its result. */
export type ThreadRequest =
  | { readonly kind: "search"; readonly request: SearchRequest }
  | { readonly kind: "schema"; readonly request: SchemaRequest };

/** Time to start a thread on a busy machine, which is not counted as time of the work. */
const startMs = 5_000;
const heapMib = 128;
const threadsMax = 2;

/** No limit for the queue is needed, because the trials and jobs of applications are limited. */
const threads = new TenantConcurrencyLimiter({
  max: threadsMax,
  queueMaxPerKey: Infinity,
  reject: () => overloaded("Too many comparisons at once"),
});

/** Returns the thread's result; undefined if it takes too long or too much memory. */
export async function runThread<Result>(work: ThreadRequest, timeoutMs: number): Promise<Result | undefined> {
  // Each run has its own key, because runs with the same key get at most half of the threads.
  return threads.run(newId(), undefined, () => run<Result>(work, timeoutMs));
}

async function run<Result>(workerData: ThreadRequest, timeoutMs: number): Promise<Result | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Result | undefined>();
  const worker = new Worker(new URL("./thread.ts", import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: heapMib },
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  const timer = setTimeout(() => resolve(undefined), timeoutMs + startMs);
  worker.on("message", resolve);
  worker.on("error", (error) => (isOutOfMemory(error) ? resolve(undefined) : reject(error)));
  worker.on("exit", () => resolve(undefined));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
