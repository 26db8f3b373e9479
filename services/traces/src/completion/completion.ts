// Trace completion. Traces that name no test and are not sampled need no statement.

import type { Transaction } from "@ems/kit/db/transaction";
import type { Tenant } from "@ems/kit/tenant";
import type { TracesConfig } from "../config.ts";

/** Format of a request. Only OpenTelemetry spans reveal when the root of their trace has ended. */
export type ArrivalSource = "ingest" | "otlp";

/** The part of a trace that one request added. */
export interface TraceArrival {
  readonly traceId: string;
  readonly testId: string | null;
  /** True if the request named the test for the first time. */
  readonly isTestNew: boolean;
  readonly newSteps: readonly { readonly parentId: string | null; readonly fields: { readonly endTime?: unknown } }[];
  /** True if the request contained the trace itself, not only steps of it. */
  readonly hasTrace: boolean;
}

type Times = Pick<TracesConfig, "SETTLE_ROOT_MS" | "SETTLE_ROOTLESS_MS" | "SETTLE_STEPS_MS" | "SETTLE_MAX_MS">;

// Uses the time of the statement, because the transaction may have waited for a lock. Postponing the completion of a
// claimed trace ends its lease.
const touch = `
  INSERT INTO traces.trace_settling AS stored (application_id, trace_id, test_id, has_root, due_at, org_id)
  SELECT $1, v.trace_id, v.test_id, v.has_root, clock_timestamp() + v.quiet_ms * interval '1 ms', $2
  FROM unnest($3::uuid[], $4::uuid[], $5::boolean[], $6::integer[]) v (trace_id, test_id, has_root, quiet_ms)
  ORDER BY v.trace_id
  ON CONFLICT (application_id, trace_id) DO UPDATE SET test_id = coalesce(stored.test_id, excluded.test_id),
    has_root = stored.has_root OR excluded.has_root,
    leased_until = '-infinity',
    due_at = least(stored.started_at + $8 * interval '1 ms', CASE WHEN $7::integer IS NULL OR NOT stored.has_root
      THEN excluded.due_at ELSE clock_timestamp() + $7 * interval '1 ms' END)`;

/** Decides which traces without a test are to be judged. */
interface Samples {
  isSampled(applicationId: string, traceId: string): boolean;
}

/** Schedules completion of traces that name a test or are sampled. They are complete when no more steps arrive. */
export class Completion {
  readonly #times: Times;
  readonly #rates: Samples;

  constructor(times: Times, rates: Samples) {
    this.#times = times;
    this.#rates = rates;
  }

  /** Postpones the completion of a request's traces, with at most one statement through `tx.defer`. */
  touch(
    tx: Transaction,
    { applicationId, orgId }: Tenant,
    source: ArrivalSource,
    arrivals: readonly TraceArrival[],
  ): void {
    const touched = arrivals.filter(
      ({ traceId, testId, isTestNew, newSteps }) =>
        (newSteps.length > 0 || isTestNew) && (testId !== null || this.#rates.isSampled(applicationId, traceId)),
    );
    if (touched.length === 0) return;
    const hasRoot = touched.map(({ newSteps }) => newSteps.some(isEndedRoot));
    const values = [
      applicationId,
      orgId,
      touched.map(({ traceId }) => traceId),
      touched.map(({ testId }) => testId),
      hasRoot,
      touched.map((arrival, index) => this.#quietMs(source, arrival, hasRoot[index] ?? false)),
      source === "otlp" ? this.#times.SETTLE_ROOT_MS : null,
      this.#times.SETTLE_MAX_MS,
    ];
    tx.defer({ name: "settle-traces", text: touch, values });
  }

  #quietMs(source: ArrivalSource, { hasTrace, newSteps }: TraceArrival, hasRoot: boolean): number {
    const { SETTLE_ROOT_MS, SETTLE_ROOTLESS_MS, SETTLE_STEPS_MS } = this.#times;
    if (source === "otlp") return hasRoot ? SETTLE_ROOT_MS : SETTLE_ROOTLESS_MS;
    return hasTrace && newSteps.length > 0 ? 0 : SETTLE_STEPS_MS;
  }
}

function isEndedRoot({ parentId, fields }: TraceArrival["newSteps"][number]): boolean {
  return parentId === null && fields.endTime !== undefined;
}
