import type { ArchivedQuery, Stores } from "@ems/archive";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import type { TraceRow } from "./entity.ts";
import { archivedTraceQuery, readTrace, type TraceDeps, traceTexts } from "./get-trace.ts";
import { archivedTrace } from "./queries.ts";

type Handler = Handlers<typeof TraceService>["getTraceByTest"];

// Includes the newest trace that names the test, because tests recorded from outside are not closed by a trace.
const byTest = traceTexts(
  "test",
  `t.test_id = $2 AND t.id = coalesce((SELECT e.trace_id FROM traces.test_v1 e
    WHERE e.application_id = $1 AND e.id = $2 LIMIT 1), t.id)`,
);

/** Returns the trace that closed the test, else the newest trace that names it. */
export function getTraceByTest(deps: TraceDeps): Handler {
  return async ({ id }, call) => ({
    data: await readTrace(deps, call, byTest, id, () => archivedTraceOfTest(deps.stores, call, id)),
  });
}

interface ClosedTest {
  readonly traceId: string | null;
}

const closingText = `SELECT e.trace_id AS "traceId" FROM traces.test_v1 e WHERE e.application_id = $1 AND e.id = $2`;
const archivedClosing = `SELECT e.trace_id AS "traceId" FROM test e WHERE e.id = {id:UUID}`;

/** Finds the archived trace of a test, which may itself be in the archive or in PostgreSQL. */
async function archivedTraceOfTest(stores: Stores, call: Call, id: string): Promise<ArchivedQuery<TraceRow>> {
  const closing = await stores.find<ClosedTest>(call, {
    own: { name: "closing-trace", text: closingText, values: [call.tenant.applicationId, id] },
    archived: { kind: "results", table: "test", text: archivedClosing, parameters: { id } },
  });
  const traceId = closing?.traceId ?? null;
  return traceId === null ? archivedTrace("t.test_id = {id:UUID}", { id }) : archivedTraceQuery(traceId);
}
