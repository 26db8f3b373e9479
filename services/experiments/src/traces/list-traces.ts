import { timestampDate } from "@bufbuild/protobuf/wkt";
import { pageOf, pagination } from "@ems/kit/db/page";
import { dateOf } from "@ems/kit/json/timestamp";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import type { Deps } from "../deps.ts";
import { type TraceWithTotals, traceSummary } from "./messages.ts";
import { stepTotals, traceColumns } from "./queries.ts";

type Handler = Handlers<typeof TraceService>["listTraces"];

const orders = { createdAt: "t.created_at", timestamp: 't."timestamp"', id: "t.id" };

const matching = `FROM experiments.trace t
  WHERE t.application_id = $1 AND ($2::uuid IS NULL OR t.test_id = $2) AND ($3::text IS NULL OR t.reference_id = $3)
    AND ($4::timestamptz IS NULL OR t."timestamp" >= $4) AND ($5::timestamptz IS NULL OR t."timestamp" <= $5)`;

/** A page of the caller's application's traces; totals are computed for that page only. */
export function listTraces({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const { testId = null, referenceId = null, startDate, endDate } = request;
    const page = pageOf(request, orders);
    const filters = [
      call.tenant.applicationId,
      testId,
      referenceId,
      startDate === undefined ? null : timestampDate(startDate),
      endDate === undefined ? null : dateOf(endDate),
    ];
    const [rows, counts] = await database.readAll(call, [
      {
        name: `list-traces-${page.orderName}`,
        text: `SELECT ${traceColumns}, root.type, root.event, totals."inputTokens", totals."outputTokens"
          FROM (SELECT t.* ${matching} ORDER BY ${page.orderBy} LIMIT $6 OFFSET $7) t ${stepTotals}
          ORDER BY ${page.orderBy}`,
        values: [...filters, page.limit, page.skip],
      },
      { name: "count-traces", text: `SELECT count(*)::int AS total ${matching}`, values: filters },
    ]);
    return {
      data: (rows as TraceWithTotals[]).map(traceSummary),
      pagination: pagination(page, counts?.[0]?.total ?? 0),
    };
  };
}
