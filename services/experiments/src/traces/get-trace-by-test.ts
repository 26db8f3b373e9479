import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import type { Deps } from "../deps.ts";
import { byId, readTrace, traceTexts } from "./get-trace.ts";

type Handler = Handlers<typeof TraceService>["getTraceByTest"];

// A test that was recorded from outside is closed by no trace.
const byTest = traceTexts(
  "test",
  `t.test_id = $2 AND t.id = coalesce((SELECT e.trace_id FROM experiments.test e
    WHERE e.application_id = $1 AND e.id = $2 LIMIT 1), t.id)`,
  "t.test_id = {value:UUID}",
);

/** The trace that closed the test, else the newest one that names it. */
export function getTraceByTest(deps: Pick<Deps, "stores" | "references">): Handler {
  return async ({ id }, call) => {
    const closing = deps.stores.hasArchive ? await closingTrace(deps.stores, call, id) : undefined;
    return { data: await readTrace(deps, call, closing === undefined ? byTest : byId, closing ?? id) };
  };
}

const closingText = `SELECT e.trace_id AS "traceId" FROM experiments.test e WHERE e.application_id = $1 AND e.id = $2`;
const archivedClosing = `SELECT e.trace_id AS "traceId" FROM test e WHERE e.id = {id:UUID}`;

/** The test and its trace may be in different stores. */
async function closingTrace(stores: Deps["stores"], call: Call, id: string): Promise<string | undefined> {
  const values = [call.tenant.applicationId, id];
  const { found, dropped } = await stores.read(
    call,
    ["results"],
    [{ name: "closing-trace", text: closingText, values }],
  );
  const own = found[0] ?? [];
  const tests =
    own.length > 0 ? own : await stores.readDropped(call, { test: dropped.results }, archivedClosing, { id });
  const [test] = tests as { traceId: string | null }[];
  return test?.traceId ?? undefined;
}
