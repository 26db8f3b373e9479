import { findById, readBeside } from "@ems/kit/archive";
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

/** The test and its trace may be in different stores. */
async function closingTrace(stores: Deps["stores"], call: Call, id: string): Promise<string | undefined> {
  const statement = { name: "closing-trace", text: closingText, values: [call.tenant.applicationId, id] };
  const [[test] = []] = await readBeside(stores, call, [statement], findById("test", id));
  return test?.traceId ?? undefined;
}
