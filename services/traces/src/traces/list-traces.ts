import { listPageOfStore, type Stores } from "@ems/archive";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { listStepsBytesMax, traceStepsBytesMax } from "@ems/proto/limits";
import type { Deps } from "../deps.ts";
import { countUnindexed, waitUntilIndexed } from "../search/index.ts";
import type { TraceRow } from "./entity.ts";
import { withEvals } from "./evals.ts";
import { archived } from "./filter.ts";
import { trace } from "./messages.ts";
import { loadOpinions } from "./opinions.ts";
import { archivedFirstSteps, firstSteps, readContinuations, stepColumns, stepOrder } from "./queries.ts";
import type { StoredStep } from "./step-row.ts";
import { counted, toListFilters, uncounted } from "./trace-list.ts";

type Handler = Handlers<typeof TraceService>["listTraces"];

/** Returns a page of the application's traces, each with its first steps. */
export function listTraces(deps: Pick<Deps, "stores" | "references" | "retention">): Handler {
  const { stores, retention } = deps;
  return async (request, call) => {
    const list = retention.isCleared("traces") ? counted : uncounted;
    const { applicationId } = call.tenant;
    const { filters, search, archivedFilters } = toListFilters(request, applicationId);
    const isIndexSearched = search !== undefined && request.store !== "archive";
    if (isIndexSearched && request.consistency === "indexed") await waitUntilIndexed(stores.database, call);
    const unindexed = isIndexSearched ? await countUnindexed(stores.database, call) : undefined;
    const options = { ...(search !== undefined && { search }), archived: archivedFilters };
    const { rows, pagination } = await listPageOfStore(stores, call, list, archived, request, filters, options);
    const data = await answerTraces(deps, call, rows, request.store === "archive");
    return { data, pagination, ...(unindexed !== undefined && { unindexed }) };
  };
}

/** Returns the messages of traces, each with its first steps. */
export async function answerTraces(
  deps: Pick<Deps, "stores" | "references">,
  call: Call,
  rows: readonly TraceRow[],
  isArchived = false,
) {
  const { stores } = deps;
  const [full, steps, continuations, opinions] = await Promise.all([
    withEvals(deps, call, rows),
    readSteps(stores, call, rows),
    isArchived ? readContinuations(stores, call, rows) : new Map<string, string>(),
    loadOpinions(
      stores.database,
      call,
      rows.map(({ id }) => id),
    ),
  ]);
  return full.map((row) =>
    trace({ ...row, continuedBy: continuations.get(row.id) ?? null, ...opinions(row.id) }, steps.get(row.id) ?? []),
  );
}

const stepsText = `SELECT ${stepColumns} FROM unnest($2::uuid[]) AS requested (id)
  CROSS JOIN LATERAL (SELECT * FROM traces.trace t
    WHERE t.application_id = $1 AND t.id = requested.id LIMIT 1) t
  CROSS JOIN LATERAL ${firstSteps}
  WHERE s.before + s.size <= $3 ORDER BY ${stepOrder}`;

/** Reads the first steps of each trace, as many as fit in its share of the response. */
async function readSteps(stores: Stores, call: Call, rows: readonly TraceRow[]): Promise<Map<string, StoredStep[]>> {
  const withSteps = rows.filter(({ steps }) => steps > 0);
  if (withSteps.length === 0) return new Map();
  const bytes = Math.min(traceStepsBytesMax, Math.floor(listStepsBytesMax / rows.length));
  const values = [call.tenant.applicationId, withSteps.map(({ id }) => id), bytes];
  const [steps] = await stores.lookUp<[StoredStep]>(call, [
    {
      own: { name: "list-traces-steps", text: stepsText, values },
      archived: archivedFirstSteps(withSteps, { bytes, isAny: false }),
    },
  ]);
  return Map.groupBy(steps, ({ traceId }) => traceId);
}
