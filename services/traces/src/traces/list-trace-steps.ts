import { invalidCursor, type Position } from "@ems/kit/db/cursor";
import { type Page, pagination, parsePage } from "@ems/kit/db/page";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { toTraceId } from "@ems/traces-client";
import type { Deps } from "../deps.ts";
import { archivedTraceQuery } from "./get-trace.ts";
import { archivedSteps, isTrace, type PlacedStep, placedColumns, stepOrder, stepsOfTrace } from "./queries.ts";
import { traceStep } from "./step-row.ts";

type Handler = Handlers<typeof TraceService>["listTraceSteps"];

const traceOfId = `traces.trace t WHERE t.application_id = $1 AND ${isTrace("$2")}`;
const countText = `SELECT t.steps FROM ${traceOfId}`;
const stepsText = `SELECT ${placedColumns} FROM (SELECT * FROM ${traceOfId}) t
  CROSS JOIN LATERAL (SELECT s.* FROM ${stepsOfTrace}
    AND (s."timestamp", s."position") > ($5::timestamptz, $6::int) ORDER BY ${stepOrder} OFFSET $3 LIMIT $4) s
  ORDER BY ${stepOrder}`;

/** Returns a page of a trace's steps. */
export function listTraceSteps({ stores }: Pick<Deps, "stores">): Handler {
  return async (request, call) => {
    const page = parsePage(request, { columns: { id: 's."timestamp"' } }, call.tenant.applicationId);
    const after = toPlace(page.after);
    const values = [call.tenant.applicationId, toTraceId(request.id)];
    // One extra step shows if the page has a successor.
    const pageValues = [...values, String(page.skip), page.limit + 1, after.timestamp, after.position];
    const { found, archivedRanges } = await stores.read(
      call,
      ["traces"],
      [
        { name: "count-steps", text: countText, values },
        { name: "list-steps", text: stepsText, values: pageValues },
      ],
    );
    const own = found[0]?.[0] as { steps: number } | undefined;
    if (own !== undefined) return answer(page, found[1] as PlacedStep[], own.steps);
    const [archived] = await stores.rows(call, archivedTraceQuery(toTraceId(request.id)), archivedRanges);
    if (archived === undefined) throw notFound("Trace");
    const steps = await stores.rows(call, archivedSteps(archived, page, after), archivedRanges);
    return answer(page, steps, archived.steps);
  };
}

function answer(page: Page, found: readonly PlacedStep[], total: number) {
  const steps = found.slice(0, page.limit);
  const last = found.length > page.limit ? steps.at(-1) : undefined;
  const position = last && { key: last.timestamp.toISOString(), id: String(last.position) };
  return { data: steps.map(traceStep), pagination: pagination(page, total, position) };
}

/** Place of the last step before the page. Without a cursor, it is before all steps. */
function toPlace(after: Position | undefined) {
  if (after === undefined) return { timestamp: "0001-01-01T00:00:00.000Z", position: -1 };
  const timestamp = new Date(after.key ?? "");
  const position = Number(after.id);
  if (Number.isNaN(timestamp.getTime()) || !Number.isInteger(position)) throw invalidCursor();
  return { timestamp: timestamp.toISOString(), position };
}
