import type { Stores } from "@ems/kit/archive";
import { listOf, listPage } from "@ems/kit/db/list";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import { TraceOrderSchema, type TraceService } from "@ems/proto/experiments/v1/trace_service";
import { listStepsBytesMax, traceStepsBytesMax } from "@ems/proto/limits";
import type { Deps } from "../deps.ts";
import { wordsOfSearch, wordsToFind } from "../search/index.ts";
import { TraceEntity, type TraceRow } from "./entity.ts";
import { withEvals } from "./evals.ts";
import { archive, filtersOf, where } from "./filter.ts";
import { trace } from "./messages.ts";
import { firstSteps, readArchivedSteps, stepColumns, stepOrder } from "./queries.ts";
import { scoredElsewhere } from "./scored-elsewhere.ts";
import type { StoredStep } from "./step-row.ts";

type Handler = Handlers<typeof TraceService>["listTraces"];

const options = {
  alias: "t",
  orderBy: TraceOrderSchema,
  where,
  search: "experiments.find_traces",
  archive,
};
const counted = listOf<TraceRow>(TraceEntity, {
  ...options,
  counts: { times: { createdAt: "created_at", timestamp: "timestamp" }, range: "timestamp" },
});
/** While row counts still have what is past retention. */
const uncounted = listOf<TraceRow>(TraceEntity, { ...options, name: "trace-rows" });

/** A page of the caller's application's traces, each with its first steps. */
export function listTraces(deps: Pick<Deps, "database" | "stores" | "references" | "retention">): Handler {
  const { database, stores, retention } = deps;
  return async (request, call) => {
    const list = retention.isCleared("traces") ? counted : uncounted;
    const { applicationId } = call.tenant;
    const search = request.search ? wordsToFind(applicationId, request.search) : undefined;
    const requested = filtersOf(request, applicationId);
    const elsewhere =
      requested.score === null ? undefined : await scoredElsewhere(stores, call, requested.score.slice(2));
    const scored = elsewhere && { score: null, scoreOrTest: [...(requested.score ?? []), ...elsewhere.ofOwn] };
    const filters = { ...requested, ...scored };
    const archived = {
      filters: async () => ({
        words: request.search ? wordsOfSearch(applicationId, request.search) : null,
        ...(elsewhere && { score: requested.score, scoreOrTest: null, scoredTests: elsewhere.ofArchived }),
      }),
      extents: elsewhere && { evaluation: elsewhere.dropped.results },
    };
    const { rows, pagination } = await listPage(database, call, list, request, filters, { search, stores, archived });
    const [full, steps] = await Promise.all([withEvals(deps, call, rows), stepsOf(stores, call, rows)]);
    return { data: full.map((row) => trace(row, steps.get(row.id) ?? [])), pagination };
  };
}

const stepsText = `SELECT ${stepColumns} FROM unnest($2::uuid[]) AS requested (id)
  CROSS JOIN LATERAL (SELECT * FROM experiments.trace t
    WHERE t.application_id = $1 AND t.id = requested.id LIMIT 1) t
  CROSS JOIN LATERAL ${firstSteps}
  WHERE s.before + s.size <= $3 ORDER BY ${stepOrder}`;

/** The first steps of each trace, as many as fit into its share of the answer. */
async function stepsOf(stores: Stores, call: Call, rows: readonly TraceRow[]): Promise<Map<string, StoredStep[]>> {
  const withSteps = rows.filter(({ steps }) => steps > 0);
  if (withSteps.length === 0) return new Map();
  const bytes = Math.min(traceStepsBytesMax, Math.floor(listStepsBytesMax / rows.length));
  const values = [call.tenant.applicationId, withSteps.map(({ id }) => id), bytes];
  const statement = { name: "list-traces-steps", text: stepsText, values };
  const { found, dropped } = await stores.read(call, ["traces"], [statement]);
  const archived = await readArchivedSteps(stores, call, dropped.traces, withSteps, { bytes, isAny: false });
  return Map.groupBy([...((found[0] ?? []) as StoredStep[]), ...archived], ({ traceId }) => traceId);
}
