import type { Transaction } from "@ems/kit/db/transaction";
import type { PublishAll } from "@ems/kit/events/publish";
import type { NewId } from "@ems/kit/id";
import type { EvaluationRow } from "@ems/results";
import { derivedFromEvaluations, hasEnded } from "../outcomes/index.ts";
import { noUsage, type TestRow, type TraceUsage } from "../tests/index.ts";
import type { Owner, PlannedDefinition } from "./entity.ts";
import { lockTests } from "./lock-tests.ts";
import { offer } from "./offer.ts";
import { pendingEvaluation } from "./pending-evaluation.ts";
import { requestPrompts } from "./request-prompts.ts";
import { type TestChange, writeChanges } from "./write-changes.ts";

/** A complete trace that refers to a test. */
export interface ClosingTrace {
  readonly testId: string;
  readonly traceId: string;
  /** Number of steps when the trace completed; later steps are not judged. */
  readonly steps: number;
  readonly durationMs?: number | null;
  /** Resources used according to the trace; a field is null if unknown. */
  readonly usage?: TraceUsage;
}

interface ClosingDeps {
  readonly publishAll: PublishAll;
  readonly newId: NewId;
}

const used = `UPDATE experiments.test t SET trace_cost = v.cost, trace_input_tokens = v.input, trace_output_tokens = v.output,
    trace_latency_ms = v.latency, trace_cached_tokens = v.cached, trace_cache_write_tokens = v.written,
    trace_reasoning_tokens = v.reasoning, trace_unpriced_steps = v.unpriced
  FROM unnest($2::uuid[], $3::uuid[], $4::float8[], $5::bigint[], $6::bigint[], $7::float8[], $8::bigint[], $9::bigint[],
    $10::bigint[], $11::integer[])
    AS v (test_id, trace_id, cost, input, output, latency, cached, written, reasoning, unpriced)
  WHERE t.application_id = $1 AND t.id = v.test_id AND (t.trace_id IS NULL OR t.trace_id = v.trace_id)`;

/**
 * Starts judging tests on the completion of their traces. Only the first trace of a test counts. Unknown, recorded and
 * ended tests are not judged, but copy the usage of their trace.
 */
export function closeTests(deps: ClosingDeps) {
  return async (tx: Transaction, tenant: Owner, now: Date, traces: readonly ClosingTrace[]): Promise<void> => {
    const first = new Map(traces.toReversed().map((trace) => [trace.testId, trace]));
    const locked = await lockTests(tx, tenant.applicationId, [...first.keys()]);
    const changes = [...first.values()].flatMap((trace): TestChange[] => {
      const [test, execution] = [locked.tests.get(trace.testId), locked.executions.get(trace.testId)];
      if (test === undefined || execution === undefined || hasEnded(test) || test.traceId !== null) return [];
      return [closed(test, trace, execution.definitions, deps.newId)];
    });
    await writeChanges(deps, tx, tenant, now, locked, changes);
    const changed = new Set(changes.map(({ test }) => test.id));
    copyUsage(
      tx,
      tenant.applicationId,
      traces.filter(({ testId }) => locked.tests.has(testId) && !changed.has(testId)),
    );
    offer(tx, tenant, changes);
    await requestPrompts(deps, tx, tenant, now, locked.runs.values());
  };
}

/** Copies the usage of traces that completed a second time, and of traces that refer to recorded tests. */
function copyUsage(tx: Transaction, applicationId: string, traces: readonly ClosingTrace[]): void {
  const measured = traces.flatMap(({ usage, ...trace }) => (usage === undefined ? [] : { ...trace, ...usage }));
  if (measured.length === 0) return;
  const of = <Key extends keyof (typeof measured)[number]>(key: Key) => measured.map((trace) => trace[key]);
  const ids = [of("testId"), of("traceId")];
  const values: unknown[] = [of("traceCost"), of("traceInputTokens"), of("traceOutputTokens"), of("traceLatencyMs")];
  const details = [of("traceCachedTokens"), of("traceCacheWriteTokens"), of("traceReasoningTokens")];
  values.push(...details, of("traceUnpricedSteps"));
  tx.defer({ name: "copy-usage", text: used, values: [applicationId, ...ids, ...values] });
}

/** Builds the test with its planned evaluations; a test without evaluations has ended. */
export function closed(
  test: TestRow,
  { traceId, steps, durationMs, usage = noUsage }: Omit<ClosingTrace, "testId">,
  definitions: readonly PlannedDefinition[],
  newId: NewId,
): TestChange {
  const evaluations: EvaluationRow[] = definitions.map((definition) => pendingEvaluation(test, definition, newId()));
  const status = definitions.length === 0 ? "COMPLETED" : "IN_PROGRESS";
  return {
    test: {
      ...test,
      ...derivedFromEvaluations(evaluations),
      status,
      traceId,
      traceSteps: steps,
      ...usage,
      durationMs: durationMs ?? test.durationMs,
      waitingFor: null,
    },
    evaluations,
    changed: evaluations,
  };
}
