import { clipToRange, type Lookup } from "@ems/archive";
import { distinctIds } from "@ems/kit/id";
import type { Call } from "@ems/kit/rpc/call";

// The trace of a test is the latest one that names the test.
const ofTest = `SELECT DISTINCT ON (trace.test_id) trace.test_id AS "testId", trace.id,
    (extract(epoch FROM trace.created_at) * 1000)::float8 AS "createdMs"
  FROM experiments.trace_v1 trace WHERE trace.application_id = $1 AND trace.test_id = ANY ($2::uuid[])
  ORDER BY trace.test_id, trace.created_at DESC, trace.id`;
/** Maximum time by which a trace may be older than its test: in live traffic the trace is created first. */
const earlierMs = 86_400_000;

export interface TraceOfTest {
  readonly testId: string;
  readonly id: string;
  readonly createdMs: number;
}

interface Test {
  readonly id: string;
  readonly createdAt: Date;
}

/** Looks up the latest trace of each test in PostgreSQL and the archive. */
export function tracesOfTests(call: Call, tests: readonly Test[]): Lookup<TraceOfTest> {
  const since = new Date(Math.min(...tests.map(({ createdAt }) => createdAt.getTime())) - earlierMs);
  const ids = distinctIds(tests.map(({ id }) => id));
  return {
    own: { name: "traces-of-tests", text: ofTest, values: [call.tenant.applicationId, ids] },
    archived: {
      kind: "traces",
      table: "trace",
      text: `SELECT r.test_id AS "testId", r.id AS id, toFloat64(toUnixTimestamp64Milli(r.created_at)) AS "createdMs" FROM trace r
        WHERE r.test_id IN {ids:Array(UUID)} ORDER BY r.created_at DESC, toString(r.id) LIMIT 1 BY r.test_id`,
      parameters: { ids },
      within: (range) => clipToRange(range, since),
    },
  };
}

/** Returns trace ids by test, from the rows of `tracesOfTests`; if both stores have traces of a test, the latest. */
export function latestTraceIds(rows: readonly TraceOfTest[]): ReadonlyMap<string, string> {
  const sorted = rows.toSorted((a, b) => a.createdMs - b.createdMs);
  return new Map(sorted.map(({ testId, id }) => [testId, id]));
}
