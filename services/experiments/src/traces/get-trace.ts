import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import type { Deps } from "../deps.ts";
import type { TraceRow } from "./entity.ts";
import { type StepOfTrace, trace } from "./messages.ts";
import { stepsOfTrace, traceColumns } from "./queries.ts";

type Handler = Handlers<typeof TraceService>["getTrace"];

const oneTrace = `SELECT ${traceColumns} FROM experiments.trace t WHERE t.application_id = $1 AND t.id = $2`;

/** One trace of the caller's application, with its steps. */
export function getTrace({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [rows, steps] = await database.readAll(call, [
      { name: "get-trace", text: oneTrace, values },
      { name: "get-trace-steps", text: stepsOfTrace, values },
    ]);
    const row = rows?.[0];
    if (row === undefined) throw notFound("Trace");
    return { data: trace(row as TraceRow, steps as StepOfTrace[]) };
  };
}
