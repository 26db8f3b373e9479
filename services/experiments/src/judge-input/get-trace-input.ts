import type { Database } from "@ems/kit/db/database";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { traceStepsMax } from "@ems/proto/limits";
import type { Deps } from "../deps.ts";
import { isTrace, monthOfTrace, traceIdOf } from "../traces/index.ts";
import { type JudgedTest, readInput } from "./get-judge-input.ts";

type Handler = Handlers<typeof ExecutionService>["getTraceInput"];

type TracedTest = JudgedTest & { readonly traceId: string; readonly timestamp: Date };

const traceText = `SELECT e.prompt, t.timestamp, t.id AS "traceId", ${monthOfTrace} AS month, ${traceStepsMax} AS "traceSteps"
  FROM experiments.trace t
    LEFT JOIN experiments.test e ON e.application_id = $1 AND e.id = t.test_id AND e.trace_id = t.id
  WHERE t.application_id = $1 AND ${isTrace("$2")} ORDER BY t.created_at DESC, t.id DESC LIMIT 1`;

/** As `getJudgeInput`, of a trace as it is now. */
export function getTraceInput({ database }: Pick<Deps, "database">): Handler {
  return async ({ traceId }, call) => readInput(database, call, await findTrace(database, call, traceId));
}

/** The trace with the id, of whichever kind, and the prompt that it answers. */
export async function findTrace(database: Database, call: Call, id: string) {
  const values = [call.tenant.applicationId, traceIdOf(id)];
  const [trace] = await database.read<TracedTest>(call, { name: "judged-trace", text: traceText, values });
  if (trace === undefined) throw notFound("Trace");
  return trace;
}
