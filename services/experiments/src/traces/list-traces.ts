import { listOf, listPage, timeRange } from "@ems/kit/db/list";
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
  where: {
    testId: "t.test_id = ?",
    referenceId: "t.reference_id = ?",
    from: 't."timestamp" >= ?',
    until: 't."timestamp" < ?',
  },
  counts: { times: { createdAt: "created_at", timestamp: "timestamp" }, range: "timestamp" },
  join: stepTotals,
});

/** A page of the caller's application's traces; totals are computed for that page only. */
export function listTraces({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const { testId, referenceId } = request;
    const filters = { testId, referenceId, ...timeRange(request) };
    const { rows, pagination } = await listPage(database, call, list, request, filters);
    return { data: rows.map(traceSummary), pagination };
  };
}
