import { listOf, listPage } from "@ems/kit/db/list";
import { Parameters } from "@ems/kit/db/parameters";
import type { Handlers } from "@ems/kit/rpc/service";
import type { RunService } from "@ems/proto/experiments/v1/run_service";
import type { Deps } from "../deps.ts";
import { RunEntity } from "./entity.ts";
import { allOf, filterOf } from "./filter.ts";
import { run } from "./messages.ts";

type Handler = Handlers<typeof RunService>["listRuns"];

const runs = listOf(RunEntity, { alias: "r", isPrepared: false });

const withTest = (condition: string) => `EXISTS (SELECT FROM experiments.test t
  WHERE t.application_id = r.application_id AND t.run_id = r.id AND ${condition})`;

/** A page of the caller's application's runs. */
export function listRuns({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const filter = filterOf(request);
    const parameters = new Parameters();
    const where = allOf(parameters, {
      "r.application_id = ?": call.tenant.applicationId,
      "r.type = ANY (?)": filter.runTypes,
      "r.status = ANY (?)": filter.statuses,
      "r.created_at >= ?": filter.from,
      "r.created_at < ?": filter.until,
      [withTest("t.task_id = ANY (?)")]: filter.taskIds,
      [withTest("t.definition_ids && ?")]: filter.definitionIds,
    });
    const [, ...filters] = parameters.values;
    const { rows, pagination } = await listPage(database, call, { ...runs, where }, request, filters);
    return { data: rows.map(run), pagination };
  };
}
