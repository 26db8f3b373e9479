// Reads files in worker threads with limits of time and memory, one file per application at a time. A slow or endless
// file blocks neither other calls of this process nor the files of other applications.

import { Worker } from "node:worker_threads";
import { type ConnectError, concurrencyLimited, internalError, invalidField, overloaded } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import type { Call } from "@ems/kit/rpc/call";
import {
  heapMib,
  heldBytesMax,
  measureMs,
  memoryBytesMax,
  queueMax,
  queueMaxPerKey,
  queueTimeoutMs,
  readersMax,
  readersMaxPerKey,
  readTimeoutMs,
} from "./limits.ts";

/** One file to read in a thread. */
export interface ReaderJob<Message, Result> {
  /** Module that the thread runs; it receives the result of `data` as `workerData`. */
  readonly module: URL;
  readonly data: () => unknown;
  /** Size of the text, which stays in memory while the job is waiting. */
  readonly bytes: number;
  /** Request field that contains the text. */
  readonly field: string;
  /** Called with each message from the thread; an exception ends the job. */
  readonly onMessage: (message: Message, job: RunningJob<Result>) => void;
}

export interface RunningJob<Result> {
  readonly resolve: (result: Result) => void;
  readonly post: (message: unknown) => void;
}

const retryAfterMs = 5_000;
const limiter = new TenantConcurrencyLimiter({
  max: readersMax,
  maxPerKey: readersMaxPerKey,
  queueMax,
  queueMaxPerKey,
  queueTimeoutMs,
  reject: (cause) => (cause === "key" ? concurrencyLimited("Too many files at once", retryAfterMs) : tooManyFiles()),
});
let heldBytes = 0;

/** Runs the job in a new thread once it is the application's turn. */
export async function runReader<Message, Result>(call: Call, job: ReaderJob<Message, Result>): Promise<Result> {
  if (heldBytes + job.bytes > heldBytesMax) throw tooManyFiles();
  heldBytes += job.bytes;
  try {
    return await limiter.run(call.tenant.applicationId, call.signal, () => runThread(call.signal, job));
  } finally {
    heldBytes -= job.bytes;
  }
}

function runThread<Message, Result>(
  signal: AbortSignal,
  { module, data, field, onMessage }: ReaderJob<Message, Result>,
): Promise<Result> {
  const thread = new Worker(module, {
    workerData: data(),
    resourceLimits: { maxOldGenerationSizeMb: heapMib, maxYoungGenerationSizeMb: 32 },
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const job = { resolve, post: (message: unknown) => thread.postMessage(message) };
  thread.on("message", (message: Message) => {
    try {
      onMessage(message, job);
    } catch (error) {
      reject(error);
    }
  });
  thread.on("error", (error) => reject(isOutOfMemory(error) ? tooDemanding(field) : internalError(error)));
  thread.on("exit", () => reject(internalError(new Error("the reader's thread ended without an answer"))));
  const timer = setTimeout(() => reject(tooDemanding(field)), readTimeoutMs);
  const measuring = setInterval(async () => {
    const memory = await thread.getHeapStatistics().catch(() => undefined);
    if (memory !== undefined && memory.total_heap_size + memory.external_memory > memoryBytesMax)
      reject(tooDemanding(field));
  }, measureMs);
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort);
  return promise.finally(async () => {
    clearTimeout(timer);
    clearInterval(measuring);
    signal.removeEventListener("abort", onAbort);
    await thread.terminate();
  });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

function tooDemanding(field: string): ConnectError {
  return invalidField([field], "Reading the text takes too much time or memory");
}

function tooManyFiles(): ConnectError {
  return overloaded("Too many files at once", retryAfterMs);
}
