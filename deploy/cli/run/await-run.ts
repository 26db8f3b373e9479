// Waits for the end of a run, even if the product restarts meanwhile.

import { setTimeout as delay } from "node:timers/promises";
import { type ApiClient, ApiFailure, type Json } from "../api.ts";
import type { Cli } from "../cli.ts";
import { Failure } from "../failure.ts";

const pollMs = 1_000;
/** Maximum time without a usable response. After it, the command fails. */
const outageMaxMs = 5 * 60_000;
/** Interval of progress messages. */
const progressMs = 5_000;

/** Returns the run once its last test has ended. Prints progress to stderr, with the reasons why tests still wait. */
export async function awaitRun(cli: Cli, api: ApiClient, runId: string, timeoutMs: number): Promise<Json> {
  const endMs = performance.now() + timeoutMs;
  let reachedMs = performance.now();
  let reported = { text: "", ms: Number.NEGATIVE_INFINITY };
  const report = async (describe: () => string | Promise<string>, isLast = false) => {
    if (!isLast && performance.now() < reported.ms + progressMs) return;
    const text = await describe();
    if (text !== reported.text) cli.info(text);
    reported = { text, ms: performance.now() };
  };
  for (;;) {
    const run = await readRun(api, runId).catch(async (error: unknown) => {
      if (cli.stopped.aborted || !isOutage(error) || performance.now() > reachedMs + outageMaxMs) throw error;
      await report(() => (error instanceof Error ? error.message : String(error)));
      return undefined;
    });
    if (run !== undefined) {
      reachedMs = performance.now();
      const hasEnded = run.status === "COMPLETED" || run.status === "FAILED";
      const progress = `${run.progress.completed} of ${run.progress.total} tests`;
      await report(async () => (hasEnded ? progress : progress + (await waiting(api, runId))), hasEnded);
      if (hasEnded) return run;
    }
    if (performance.now() > endMs)
      throw new Failure(`Run ${runId} has not ended and continues. Set --timeout to wait longer.`);
    await delay(pollMs, undefined, { signal: cli.stopped });
  }
}

/** Lists the reasons why tests have not ended, such as a missing trace or the budget; empty if unknown. */
async function waiting(api: ApiClient, runId: string): Promise<string> {
  const open = `/v0/tests?runId=${runId}&status=PENDING,IN_PROGRESS&limit=100`;
  const { data = [] } = await api.get(open).catch(() => ({}));
  const kinds = new Set<string>(data.flatMap(({ waitingFor }: Json) => waitingFor ?? []));
  return kinds.size === 0 ? "" : `, waiting for ${[...kinds].sort().join(", ")}`;
}

async function readRun(api: ApiClient, runId: string): Promise<Json> {
  return (await api.get(`/v0/runs/${runId}`)).run;
}

/** Returns true if there is no response, or if a proxy or a product that is not ready responded. */
function isOutage(error: unknown): boolean {
  return error instanceof ApiFailure ? error.status >= 500 || error.status === 429 : error instanceof Failure;
}
