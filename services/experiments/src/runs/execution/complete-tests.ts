// Continues tests when their traces are complete. The traces service offers complete traces, claimed under a lease.

import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import { monotonicMs } from "@ems/kit/clock";
import type { Logger } from "@ems/kit/log";
import type { CompletedTrace } from "@ems/proto/traces/v1/trace_work_service";
import type { Deps } from "../../deps.ts";
import { type ClosingTrace, closeTests } from "./close-tests.ts";

/** Polling interval. Waiting builds batches of traces, so that tests of a run that end together lock it only once. */
const everyMs = 200;
const backoffMaxMs = 10_000;
const tracesMax = 100;
/** Lease of a claim. After it, traces of a process that died are claimed by others, and failed traces are retried. */
const leaseMs = 30_000;
/** Timeout of a batch; less than the lease. */
const timeoutMs = 20_000;

type CompletionDeps = Pick<Deps, "database" | "clock" | "newId" | "publishAll" | "traceWork">;

export interface CompletionOptions {
  readonly log: Logger;
  /** Handles a complete trace that refers to no test. */
  readonly judgeLive: (trace: CompletedTrace) => Promise<void>;
}

/** Starts the loop that handles complete traces. Safe to run in several processes. */
export function startCompletions(
  deps: CompletionDeps,
  { log, judgeLive }: CompletionOptions,
): Pick<BackgroundLoop, "stop"> {
  return startLoop({
    name: "completion of tests",
    everyMs,
    backoffMaxMs,
    log,
    work: async () => {
      const { claimed, failed } = await handleCompleted(deps, judgeLive, (error) =>
        log.error({ err: error }, "a complete trace could not be handled"),
      );
      if (failed > 0) return "failed";
      return claimed > 0 ? "more" : "idle";
    },
  });
}

/** Claims, handles and confirms complete traces. A trace that fails does not delay the others. */
export async function handleCompleted(
  deps: CompletionDeps,
  judgeLive: CompletionOptions["judgeLive"],
  onFailed: (error: unknown) => void,
): Promise<{ readonly claimed: number; readonly failed: number }> {
  const options = { timeoutMs };
  const { traces } = await deps.traceWork.claimCompletedTraces({ limit: tracesMax, leaseMs }, options);
  let failed = 0;
  const claims: string[] = [];
  const attempt = async (handled: readonly CompletedTrace[], work: () => Promise<void>) => {
    try {
      await work();
      claims.push(...handled.map(({ claim }) => claim));
      return true;
    } catch (error) {
      if (handled.length === 1) {
        failed += 1;
        onFailed(error);
      }
      return false;
    }
  };
  for (const ofApplication of Map.groupBy(traces, ({ applicationId }) => applicationId).values()) {
    const tested = ofApplication.filter(({ testId }) => testId !== undefined);
    const isDone = tested.length === 0 || (await attempt(tested, () => close(deps, tested)));
    if (!isDone && tested.length > 1) for (const trace of tested) await attempt([trace], () => close(deps, [trace]));
    for (const trace of ofApplication) if (trace.testId === undefined) await attempt([trace], () => judgeLive(trace));
  }
  if (claims.length > 0) await deps.traceWork.confirmCompletedTraces({ claims }, options);
  return { claimed: traces.length, failed };
}

/** Closes the tests of traces of one application. */
async function close(deps: CompletionDeps, traces: readonly CompletedTrace[]): Promise<void> {
  const [first] = traces;
  if (first === undefined) return;
  const { applicationId, orgId } = first;
  const closing = traces.flatMap((trace) =>
    trace.testId === undefined ? [] : { testId: trace.testId, ...closingTrace(trace) },
  );
  await deps.database.withScope({ applicationId, orgId }, monotonicMs() + timeoutMs, (tx) =>
    closeTests(deps)(tx, { applicationId, orgId }, deps.clock.now(), closing),
  );
}

/** Returns the fields of a complete trace that its test stores. */
export function closingTrace(trace: CompletedTrace): Omit<ClosingTrace, "testId"> {
  const { traceId, steps, cost, hasCost, inputTokens, outputTokens, latencyMs, answerMs } = trace;
  const usage = {
    traceCost: hasCost ? cost : null,
    traceInputTokens: String(inputTokens),
    traceOutputTokens: String(outputTokens),
    traceLatencyMs: latencyMs,
    traceCachedTokens: String(trace.cachedInputTokens),
    traceCacheWriteTokens: String(trace.cacheWriteTokens),
    traceReasoningTokens: String(trace.reasoningTokens),
    traceUnpricedSteps: Number(trace.unpricedSteps),
  };
  return { traceId, steps, usage, durationMs: answerMs ?? null };
}
