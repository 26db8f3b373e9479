import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { traceStepsMax } from "@ems/proto/limits";
import type { Deps } from "../../deps.ts";
import { isTrace, missingTrace, monthOfTrace, traceIdOf } from "../../traces/traces/index.ts";
import { type JudgedTest, readInput } from "./get-judge-input.ts";

type Handler = Handlers<typeof ExecutionService>["getTraceInput"];

type TracedTest = JudgedTest & { readonly traceId: string; readonly timestamp: Date };

const traceText = `SELECT e.prompt, t.timestamp, t.id AS "traceId", t.created_at AS "createdAt", ${monthOfTrace} AS month, ${traceStepsMax} AS "traceSteps"
  FROM experiments.trace t
    LEFT JOIN experiments.test e ON e.application_id = $1 AND e.id = t.test_id AND e.trace_id = t.id
  WHERE t.application_id = $1 AND ${isTrace("$2")} ORDER BY t.created_at DESC, t.id DESC LIMIT 1`;

/** As `getJudgeInput`, of a trace as it is now. */
export function getTraceInput(deps: Pick<Deps, "stores">): Handler {
  return async ({ traceId }, call) => readInput(deps.stores, call, await findTrace(deps, call, traceId));
}

/** The trace with the id, of whichever kind, and the prompt that it answers. */
export async function findTrace(deps: Pick<Deps, "stores">, call: Call, named: string) {
  const id = traceIdOf(named);
  const statement = { name: "judged-trace", text: traceText, values: [call.tenant.applicationId, id] };
  const [trace] = await deps.stores.database.read(call, statement);
  if (trace === undefined) throw await missingTrace(deps.stores, call, id);
  // The columns are what the text says.
  return trace as TracedTest;
}
