import { timestampDate } from "@bufbuild/protobuf/wkt";
import { listOf, listPage } from "@ems/kit/db/list";
import { dateOf } from "@ems/kit/json/timestamp";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import type { Deps } from "../deps.ts";
import { TraceEntity, type TraceRow } from "./entity.ts";
import { type TraceWithTotals, traceSummary } from "./messages.ts";
import { stepTotals, traceColumns } from "./queries.ts";

type Handler = Handlers<typeof TraceService>["listTraces"];

const list = listOf<TraceRow, TraceWithTotals>(TraceEntity, {
  alias: "t",
  columns: `${traceColumns}, root.type, root.event, totals."inputTokens", totals."outputTokens"`,
  where: `($2::uuid IS NULL OR t.test_id = $2) AND ($3::text IS NULL OR t.reference_id = $3)
    AND ($4::timestamptz IS NULL OR t."timestamp" >= $4) AND ($5::timestamptz IS NULL OR t."timestamp" <= $5)`,
  join: stepTotals,
});

/** A page of the caller's application's traces; totals are computed for that page only. */
export function listTraces({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const { testId = null, referenceId = null, startDate, endDate } = request;
    const filters = [
      testId,
      referenceId,
      startDate === undefined ? null : timestampDate(startDate),
      endDate === undefined ? null : dateOf(endDate),
    ];
    const { rows, pagination } = await listPage(database, call, list, request, filters);
    return { data: rows.map(traceSummary), pagination };
  };
}
