import { rowById } from "@ems/kit/db/row-by-id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import type { Deps } from "../deps.ts";
import { TraceEntity } from "./entity.ts";
import { type StepOfTrace, trace } from "./messages.ts";
import { stepsOfTrace } from "./queries.ts";

type Handler = Handlers<typeof TraceService>["getTrace"];

const traceById = rowById(TraceEntity, "Trace");

/** One trace of the caller's application, with its steps. */
export function getTrace({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [rows, steps] = await database.readAll(call, [
      traceById.statement(call, id),
      { name: "get-trace-steps", text: stepsOfTrace, values },
    ]);
    return { data: trace(traceById.only(rows), steps as StepOfTrace[]) };
  };
}
