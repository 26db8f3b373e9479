import { pagination, parsePage } from "@ems/kit/db/page";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { toTraceId } from "@ems/traces-client";
import type { Deps } from "../deps.ts";
import { archivedTraceQuery } from "./get-trace.ts";
import { archivedSteps, isTrace, stepColumns, stepOrder, stepsOfTrace } from "./queries.ts";
import { type StoredStep, traceStep } from "./step-row.ts";

type Handler = Handlers<typeof TraceService>["listTraceSteps"];

const traceOfId = `traces.trace t WHERE t.application_id = $1 AND ${isTrace("$2")}`;
const countText = `SELECT t.steps FROM ${traceOfId}`;
const stepsText = `SELECT ${stepColumns} FROM (SELECT * FROM ${traceOfId}) t
  CROSS JOIN LATERAL (SELECT s.* FROM ${stepsOfTrace} ORDER BY ${stepOrder} OFFSET $3 LIMIT $4) s
  ORDER BY ${stepOrder}`;

/** Returns a page of a trace's steps. */
export function listTraceSteps({ stores }: Pick<Deps, "stores">): Handler {
  return async (request, call) => {
    const page = parsePage(request, { columns: { id: "id" } });
    const values = [call.tenant.applicationId, toTraceId(request.id)];
    const { found, archivedRanges } = await stores.read(
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
    const [archived] = await stores.rows(call, archivedTraceQuery(toTraceId(request.id)), archivedRanges);
    if (archived === undefined) throw notFound("Trace");
    const steps = await stores.rows(call, archivedSteps(archived, page), archivedRanges);
    return { data: steps.map(traceStep), pagination: pagination(page, archived.steps) };
  };
}
