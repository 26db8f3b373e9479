import { pageOf, pagination } from "@ems/kit/db/page";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import type { Deps } from "../deps.ts";
import { isTrace, stepColumns, stepOrder, stepsOfTrace } from "./queries.ts";
import { type StoredStep, traceStep } from "./step-row.ts";
import { traceIdOf } from "./trace-id.ts";

type Handler = Handlers<typeof TraceService>["listTraceSteps"];

const traceOfId = `experiments.trace t WHERE t.application_id = $1 AND ${isTrace("$2")}`;
const countText = `SELECT t.steps FROM ${traceOfId}`;
const stepsText = `SELECT ${stepColumns} FROM (SELECT * FROM ${traceOfId}) t
  CROSS JOIN LATERAL (SELECT s.* FROM ${stepsOfTrace} ORDER BY ${stepOrder} OFFSET $3 LIMIT $4) s
  ORDER BY ${stepOrder}`;

/** A page of a trace's steps. */
export function listTraceSteps({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const page = pageOf(request, { columns: { id: "id" } });
    const values = [call.tenant.applicationId, traceIdOf(request.id)];
    const [traces, steps] = await database.readAll(call, [
      { name: "count-steps", text: countText, values },
      { name: "list-steps", text: stepsText, values: [...values, String(page.skip), page.limit] },
    ]);
    const trace = traces?.[0] as { steps: number } | undefined;
    if (trace === undefined) throw notFound("Trace");
    return { data: (steps as StoredStep[]).map(traceStep), pagination: pagination(page, trace.steps) };
  };
}
