import type { Database } from "@ems/kit/db/database";
import { listOf, listPage } from "@ems/kit/db/list";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import { TraceOrderSchema, type TraceService } from "@ems/proto/experiments/v1/trace_service";
import { listStepsBytesMax, traceStepsBytesMax } from "@ems/proto/limits";
import type { Deps } from "../deps.ts";
import { wordsToFind } from "../search/index.ts";
import { TraceEntity, type TraceRow } from "./entity.ts";
import { withEvals } from "./evals.ts";
import { filtersOf, where } from "./filter.ts";
import { trace } from "./messages.ts";
import { firstSteps, stepColumns, stepOrder } from "./queries.ts";
import type { StoredStep } from "./step-row.ts";

type Handler = Handlers<typeof TraceService>["listTraces"];

const options = {
  alias: "t",
  orderBy: TraceOrderSchema,
  where,
  search: "experiments.find_traces",
};
const counted = listOf<TraceRow>(TraceEntity, {
  ...options,
  counts: { times: { createdAt: "created_at", timestamp: "timestamp" }, range: "timestamp" },
});
/** While row counts still have what is past retention. */
const uncounted = listOf<TraceRow>(TraceEntity, { ...options, name: "trace-rows" });

/** A page of the caller's application's traces, each with its first steps. */
export function listTraces(deps: Pick<Deps, "database" | "references" | "retention">): Handler {
  const { database, retention } = deps;
  return async (request, call) => {
    const list = retention.isCleared("traces") ? counted : uncounted;
    const search = request.search ? wordsToFind(call.tenant.applicationId, request.search) : undefined;
    const { rows, pagination } = await listPage(
      database,
      call,
      list,
      request,
      filtersOf(request, call.tenant.applicationId),
      { search },
    );
    const [full, steps] = await Promise.all([withEvals(deps, call, rows), stepsOf(database, call, rows)]);
    return { data: full.map((row) => trace(row, steps.get(row.id) ?? [])), pagination };
  };
}

const stepsText = `SELECT ${stepColumns} FROM unnest($2::uuid[]) AS requested (id)
  CROSS JOIN LATERAL (SELECT * FROM experiments.trace t
    WHERE t.application_id = $1 AND t.id = requested.id LIMIT 1) t
  CROSS JOIN LATERAL ${firstSteps}
  WHERE s.before + s.size <= $3 ORDER BY ${stepOrder}`;

/** The first steps of each trace, as many as fit into its share of the answer. */
async function stepsOf(database: Database, call: Call, rows: readonly TraceRow[]): Promise<Map<string, StoredStep[]>> {
  const ids = rows.filter(({ steps }) => steps > 0).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const share = Math.min(traceStepsBytesMax, Math.floor(listStepsBytesMax / rows.length));
  const values = [call.tenant.applicationId, ids, share];
  const steps = await database.read(call, { name: "list-traces-steps", text: stepsText, values });
  return Map.groupBy(steps as StoredStep[], ({ traceId }) => traceId);
}
