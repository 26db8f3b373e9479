import { clippedTo } from "@ems/kit/archive";
import { pageOf, pagination } from "@ems/kit/db/page";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import type { Deps } from "../deps.ts";
import { TraceEntity, TraceStepEntity } from "./entity.ts";
import { archivedSteps, archivedTraceColumns, isTrace, stepColumns, stepOrder, stepsOfTrace } from "./queries.ts";
import { type StoredStep, traceStep } from "./step-row.ts";
import { traceIdOf } from "./trace-id.ts";

type Handler = Handlers<typeof TraceService>["listTraceSteps"];

const traceOfId = `experiments.trace t WHERE t.application_id = $1 AND ${isTrace("$2")}`;
const countText = `SELECT t.steps FROM ${traceOfId}`;
const stepsText = `SELECT ${stepColumns} FROM (SELECT * FROM ${traceOfId}) t
  CROSS JOIN LATERAL (SELECT s.* FROM ${stepsOfTrace} ORDER BY ${stepOrder} OFFSET $3 LIMIT $4) s
  ORDER BY ${stepOrder}`;

const archivedTrace = `SELECT ${archivedTraceColumns} FROM trace t WHERE ${isTrace("{id:UUID}")}
  ORDER BY t.created_at DESC, toString(t.id) DESC LIMIT 1`;

/** A page of a trace's steps. */
export function listTraceSteps({ stores }: Pick<Deps, "stores">): Handler {
  return async (request, call) => {
    const page = pageOf(request, { columns: { id: "id" } });
    const values = [call.tenant.applicationId, traceIdOf(request.id)];
    const { found, dropped } = await stores.read(
      call,
      ["traces"],
      [
        { name: "count-steps", text: countText, values },
        { name: "list-steps", text: stepsText, values: [...values, String(page.skip), page.limit] },
      ],
    );
    const own = found[0]?.[0] as { steps: number } | undefined;
    if (own !== undefined) {
      return { data: (found[1] as StoredStep[]).map(traceStep), pagination: pagination(page, own.steps) };
    }
    const parameters = { id: traceIdOf(request.id), skip: page.skip, limit: page.limit };
    const [trace] = await stores.readDroppedRows(call, TraceEntity, dropped.traces, archivedTrace, parameters);
    if (trace === undefined) throw notFound("Trace");
    const extent = clippedTo(dropped.traces, [trace.createdAt]);
    const ofTrace = { ...parameters, id: trace.id };
    const steps = await stores.readDroppedRows(call, TraceStepEntity, extent, archivedSteps, ofTrace);
    return { data: steps.map(traceStep), pagination: pagination(page, trace.steps) };
  };
}
