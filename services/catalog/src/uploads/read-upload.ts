// Uploads are read by worker threads with limits of time and memory, an application's one after another: a file that takes
// long, or never ends, holds up neither this process's other calls nor other applications' uploads.

import { Worker } from "node:worker_threads";
import { concurrencyLimited, internalError, invalidField, overloaded, tooLarge } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import type { Call } from "@ems/kit/rpc/call";
import type { DocumentText } from "./documents-of-file.ts";
import {
  heapMib,
  measureMs,
  memoryBytesMax,
  queueMax,
  queueMaxPerKey,
  queueTimeoutMs,
  readersMax,
  readersMaxPerKey,
  readTimeoutMs,
} from "./limits.ts";
import type { Fault } from "./refusal.ts";

export interface ReadRequest {
  readonly payload: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

export interface FormFields {
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** As the file's part says. */
  readonly fileName: string;
}

export type WorkerMessage =
  | ({ readonly kind: "form" } & FormFields)
  | { readonly kind: "documents"; readonly documents: readonly DocumentText[] }
  | { readonly kind: "fault"; readonly fault: Fault };

export interface ReadUpload<Accepted> {
  readonly accepted: Accepted;
  readonly documents: readonly DocumentText[];
}

const retryAfterMs = 5_000;
const limiter = new TenantConcurrencyLimiter({
  max: readersMax,
  maxPerKey: readersMaxPerKey,
  queueMax,
  queueMaxPerKey,
  queueTimeoutMs,
  reject: (cause) =>
    cause === "key"
      ? concurrencyLimited("Too many uploads at once", retryAfterMs)
      : overloaded("Too many uploads at once", retryAfterMs),
});

/** The documents of an upload. `accept` checks the form, and says what the file is called, before the file is read. */
export function readUpload<Accepted extends { readonly fileName: string }>(
  call: Call,
  request: ReadRequest,
  accept: (form: FormFields) => Accepted,
): Promise<ReadUpload<Accepted>> {
  return limiter.run(call.tenant.applicationId, call.signal, () => runWorker(call.signal, request, accept));
}

function runWorker<Accepted extends { readonly fileName: string }>(
  signal: AbortSignal,
  workerData: ReadRequest,
  accept: (form: FormFields) => Accepted,
): Promise<ReadUpload<Accepted>> {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: heapMib, maxYoungGenerationSizeMb: 32 },
    ...{ env: {}, execArgv: [], stdout: true, stderr: true },
  });
  const { promise, resolve, reject } = Promise.withResolvers<ReadUpload<Accepted>>();
  let accepted: Accepted | undefined;
  const onMessage = (message: WorkerMessage) => {
    if (message.kind === "form") {
      accepted = accept(message);
      worker.postMessage(accepted.fileName);
    } else if (message.kind === "fault") reject(errorOf(message.fault));
    else if (accepted !== undefined) resolve({ accepted, documents: message.documents });
  };
  worker.on("message", (message: WorkerMessage) => {
    try {
      onMessage(message);
    } catch (error) {
      reject(error);
    }
  });
  worker.on("error", (error) => reject(isOutOfMemory(error) ? tooDemanding() : internalError(error)));
  worker.on("exit", () => reject(internalError(new Error("the upload's worker ended without an answer"))));
  const timer = setTimeout(() => reject(tooDemanding()), readTimeoutMs);
  const measuring = setInterval(async () => {
    const memory = await worker.getHeapStatistics().catch(() => undefined);
    if (memory !== undefined && memory.total_heap_size + memory.external_memory > memoryBytesMax)
      reject(tooDemanding());
  }, measureMs);
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort);
  return promise.finally(async () => {
    clearTimeout(timer);
    clearInterval(measuring);
    signal.removeEventListener("abort", onAbort);
    await worker.terminate();
  });
}

function errorOf({ field, message, isTooLarge }: Fault) {
  return isTooLarge ? tooLarge(message) : invalidField(field === "" ? [] : [field], message);
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

function tooDemanding() {
  return invalidField(["file"], "Reading the file takes too much time or memory");
}
