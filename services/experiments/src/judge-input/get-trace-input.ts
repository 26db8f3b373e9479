import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { traceStepsMax } from "@ems/proto/limits";
import type { Deps } from "../deps.ts";
import { isTrace, monthOfTrace, traceIdOf } from "../traces/index.ts";
import { type JudgedTest, readInput } from "./get-judge-input.ts";

type Handler = Handlers<typeof ExecutionService>["getTraceInput"];

const traceText = `SELECT e.prompt, t.id AS "traceId", ${monthOfTrace} AS month, ${traceStepsMax} AS "traceSteps"
  FROM experiments.trace t
    LEFT JOIN experiments.test e ON e.application_id = $1 AND e.id = t.test_id AND e.trace_id = t.id
  WHERE t.application_id = $1 AND ${isTrace("$2")} ORDER BY t.created_at DESC, t.id DESC LIMIT 1`;

/** As `getJudgeInput`, of a trace as it is now. */
export function getTraceInput({ database }: Pick<Deps, "database">): Handler {
  return async ({ traceId }, call) => {
    const values = [call.tenant.applicationId, traceIdOf(traceId)];
    const [trace] = await database.read<JudgedTest>(call, { name: "judged-trace", text: traceText, values });
    if (trace === undefined) throw notFound("Trace");
    return readInput(database, call, trace);
  };
}
