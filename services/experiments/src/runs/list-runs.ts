import { listOf, listPage } from "@ems/kit/db/list";
import type { Handlers } from "@ems/kit/rpc/service";
import type { RunService } from "@ems/proto/experiments/v1/run_service";
import type { Deps } from "../deps.ts";
import { RunEntity } from "./entity.ts";
import { filterOf } from "./filter.ts";
import { run } from "./messages.ts";

type Handler = Handlers<typeof RunService>["listRuns"];

const withTest = (condition: string) => `EXISTS (SELECT FROM experiments.test t
  WHERE t.application_id = r.application_id AND t.run_id = r.id AND ${condition})`;

const list = listOf(RunEntity, {
  alias: "r",
  where: {
    runType: "r.type = ANY (?)",
    status: "r.status = ANY (?)",
    from: "r.created_at >= ?",
    until: "r.created_at < ?",
    taskId: withTest("t.task_id = ANY (?)"),
    definitionId: withTest("t.definition_ids && ?"),
  },
  counts: { times: { createdAt: "created_at" }, groups: ["runType", "status"], range: "createdAt" },
});

/** A page of the caller's application's runs. */
export function listRuns({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const { rows, pagination } = await listPage(database, call, list, request, filterOf(request));
    return { data: rows.map(run), pagination };
  };
}
