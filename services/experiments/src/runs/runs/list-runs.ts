import { defineList, listPage, nonEmptyOrNull } from "@ems/kit/db/list";
import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import { RunOrderSchema, type RunService } from "@ems/proto/experiments/v1/run_service";
import type { Deps } from "../../deps.ts";
import { RunEntity } from "./entity.ts";
import { buildFilter } from "./filter.ts";
import { fullRuns } from "./stats.ts";

type Handler = Handlers<typeof RunService>["listRuns"];

const withTest = (condition: string) => `EXISTS (SELECT FROM experiments.test t
  WHERE t.application_id = r.application_id AND t.run_id = r.id AND ${condition})`;

const list = defineList(RunEntity, {
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
    named: "strpos(lower(r.name), lower(?)) > 0",
    version: "r.version = ANY (?)",
  },
  counts: { times: { createdAt: "created_at" }, groups: ["runType", "status"], range: "createdAt" },
});

/** Lists the runs of the caller's application. */
export function listRuns(deps: Pick<Deps, "database" | "references">): Handler {
  return async (request, call) => {
    const filter = {
      ...buildFilter(request),
      variantId: nonEmptyOrNull(distinctIds(request.experimentVariantId)),
      named: request.search || null,
      version: nonEmptyOrNull(request.version),
    };
    const { rows, pagination } = await listPage(deps.database, call, list, request, filter);
    return { data: await fullRuns(deps, call, rows), pagination };
  };
}
