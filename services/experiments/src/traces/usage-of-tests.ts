import type { Database } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";

/** Resources used according to a trace, in US dollars and milliseconds. The cost is null if none is known. */
export interface UsageOfTest {
  readonly testId: string;
  readonly cost: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly latencyMs: number;
}

const text = `SELECT DISTINCT ON (v.id) v.id AS "testId", r.known_cost AS cost, r.total_prompt_tokens::float8 AS "inputTokens",
    r.total_completion_tokens::float8 AS "outputTokens",
    coalesce(extract(epoch FROM r.ended_at - r.started_at) * 1000, 0)::float8 AS "latencyMs"
  FROM unnest($2::uuid[], $3::uuid[]) AS v (id, trace_id)
  JOIN experiments.trace_v1 r ON r.application_id = $1 AND r.test_id = v.id AND (v.trace_id IS NULL OR v.trace_id = r.id)
  ORDER BY v.id, r.created_at DESC, r.id`;

/**
 * Returns the usage of the trace that closed each test, else of the last trace that refers to the test. Omits tests
 * without a trace.
 */
export function usageOfTests(
  database: Database,
  call: Call,
  tests: readonly { readonly id: string; readonly traceId: string | null }[],
): Promise<UsageOfTest[]> {
  const values = [call.tenant.applicationId, tests.map(({ id }) => id), tests.map(({ traceId }) => traceId)];
  return database.read<UsageOfTest>(call, { name: "usage-of-tests", text, values });
}
