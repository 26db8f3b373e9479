// Extracts the texts to compare: matches of a pattern in an answer, found with RE2.

import { Worker } from "node:worker_threads";
import { overloaded } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import type { Extract } from "../judge.ts";
import { compile, type ExtractLimits, findMatches, type SearchRequest } from "./matches.ts";

export type Extracted =
  | { readonly ok: true; readonly texts: readonly string[] }
  /** Message that begins with the code `pattern_timeout: `. */
  | { readonly ok: false; readonly message: string };

export const extractLimits: ExtractLimits = {
  inlineWorkMax: 500_000,
  workMax: 10_000_000,
  timeoutMs: 2_000,
  matchesMax: 10_000,
};

/**
 * Returns the group of the first match or, with flag `g`, of every match. A match without any of the groups adds
 * nothing.
 */
export async function extracted(text: string, extract: Extract, limits = extractLimits): Promise<Extracted> {
  const work = compile(extract).programSize() * text.length;
  if (work > limits.workMax) return tooSlow;
  const request = { text, extract, limits };
  const texts = work > limits.inlineWorkMax ? await searchInThread(request) : await findMatches(request);
  return texts === undefined ? tooSlow : { ok: true, texts };
}

const tooSlow: Extracted = {
  ok: false,
  message: "pattern_timeout: The pattern takes too long on an answer of this length",
};

/** Time to start a thread on a busy machine, which is not counted as time of the pattern. */
const startMs = 5_000;
const heapMib = 128;
const threadsMax = 2;

/** No limit for the queue is needed, because the trials and jobs of applications are limited. */
const threads = new TenantConcurrencyLimiter({
  max: threadsMax,
  queueMaxPerKey: Infinity,
  reject: () => overloaded("Too many searches at once"),
});

/**
 * Searches in a thread, because a search cannot be interrupted. Returns undefined if it takes too long or too much
 * memory.
 */
async function searchInThread(request: SearchRequest): Promise<readonly string[] | undefined> {
  // Each search has its own key, because searches with the same key get at most half of the threads.
  return threads.run(newId(), undefined, () => runThread(request));
}

async function runThread(request: SearchRequest): Promise<readonly string[] | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly string[] | undefined>();
  const worker = new Worker(new URL("./search-thread.ts", import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: heapMib },
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  const timer = setTimeout(() => resolve(undefined), request.limits.timeoutMs + startMs);
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
