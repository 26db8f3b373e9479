import { listOf, listPage, nonEmptyOrNull } from "@ems/kit/db/list";
import { distinctIds } from "@ems/kit/id";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import { RunOrderSchema, type RunService } from "@ems/proto/experiments/v1/run_service";
import type { Deps } from "../deps.ts";
import { RunEntity } from "./entity.ts";
import { filterOf } from "./filter.ts";
import { fullRuns } from "./stats.ts";

type Handler = Handlers<typeof RunService>["listRuns"];

const withTest = (condition: string) => `EXISTS (SELECT FROM experiments.test t
  WHERE t.application_id = r.application_id AND t.run_id = r.id AND ${condition})`;

const list = listOf(RunEntity, {
  alias: "r",
  orderBy: RunOrderSchema,
  where: {
    runType: "r.type = ANY (?)",
    status: "r.status = ANY (?)",
    from: "r.created_at >= ?",
    until: "r.created_at < ?",
    taskId: withTest("t.task_id = ANY (?)"),
    definitionId: withTest("t.definition_ids && ?"),
    variantId: "r.experiment_variant_id = ANY (?)",
    taskRunId: "r.id = ANY (?)",
    definitionRunId: "r.id = ANY (?)",
  },
  counts: { times: { createdAt: "created_at" }, groups: ["runType", "status"], range: "createdAt" },
});

/** A page of the caller's application's runs. */
export function listRuns(deps: Pick<Deps, "database" | "stores" | "references">): Handler {
  return async (request, call) => {
    const requested = { ...filterOf(request), variantId: nonEmptyOrNull(distinctIds(request.experimentVariantId)) };
    const filter = { ...requested, ...(await runsOfDropped(deps.stores, call, requested)) };
    const { rows, pagination } = await listPage(deps.database, call, list, request, filter);
    return { data: await fullRuns(deps, call, rows), pagination };
  };
}

const archivedRuns = (condition: string) => `SELECT DISTINCT t.run_id AS "runId" FROM test t WHERE ${condition}`;
const ownRuns = `SELECT DISTINCT t.run_id AS "runId" FROM experiments.test t WHERE t.application_id = $1`;
const archivedOfTasks = archivedRuns("t.task_id IN {ids:Array(UUID)}");
const archivedOfDefinitions = archivedRuns("hasAny(t.definition_ids, {ids:Array(UUID)})");

/** Where tests were dropped: which runs have tests of the tasks and of the definitions. */
async function runsOfDropped(
  stores: Deps["stores"],
  call: Call,
  { taskId, definitionId }: Pick<ReturnType<typeof filterOf>, "taskId" | "definitionId">,
) {
  if (!stores.hasArchive || (taskId === null && definitionId === null)) return {};
  const runsOf = async (own: string, archived: string, ids: readonly string[] | null) => {
    if (ids === null) return null;
    const values = [call.tenant.applicationId, ids];
    const { found, dropped } = await stores.read(call, ["results"], [{ text: `${ownRuns} AND ${own}`, values }]);
    const others = await stores.readDropped<{ runId: string }>(call, { test: dropped.results }, archived, { ids });
    return distinctIds([...((found[0] ?? []) as { runId: string }[]), ...others].map(({ runId }) => runId));
  };
  const [taskRunId, definitionRunId] = await Promise.all([
    runsOf("t.task_id = ANY ($2)", archivedOfTasks, taskId),
    runsOf("t.definition_ids && $2", archivedOfDefinitions, definitionId),
  ]);
  return { taskId: null, definitionId: null, taskRunId, definitionRunId };
}
