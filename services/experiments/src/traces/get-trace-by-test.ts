import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import type { Deps } from "../deps.ts";
import { readTrace, statementsOf } from "./get-trace.ts";

type Handler = Handlers<typeof TraceService>["getTraceByTest"];

const byTest = statementsOf("test", "t.test_id = $2");

/** The newest trace of a test. */
export function getTraceByTest(deps: Pick<Deps, "database" | "references">): Handler {
  return async ({ id }, call) => ({ data: await readTrace(deps, call, byTest, id) });
}
