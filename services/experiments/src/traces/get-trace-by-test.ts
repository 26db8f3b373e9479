import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import type { Deps } from "../deps.ts";
import { readTrace, statementsOf } from "./get-trace.ts";

type Handler = Handlers<typeof TraceService>["getTraceByTest"];

// A test that was recorded from outside is closed by no trace.
const byTest = statementsOf(
  "test",
  `t.test_id = $2 AND t.id = coalesce((SELECT e.trace_id FROM experiments.test e
    WHERE e.application_id = $1 AND e.id = $2 LIMIT 1), t.id)`,
);

/** The trace that closed the test, else the newest one that names it. */
export function getTraceByTest(deps: Pick<Deps, "database" | "references">): Handler {
  return async ({ id }, call) => ({ data: await readTrace(deps, call, byTest, id) });
}
