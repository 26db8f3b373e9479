import { pageOf, pagination } from "@ems/kit/db/page";
import type { Handlers } from "@ems/kit/rpc/service";
import type { RunService } from "@ems/proto/experiments/v1/run_service";
import type { Deps } from "../deps.ts";
import type { RunRow } from "./entity.ts";
import { allOf, filterOf } from "./filter.ts";
import { run } from "./messages.ts";
import { parameters } from "./parameters.ts";
import { runColumns } from "./queries.ts";

type Handler = Handlers<typeof RunService>["listRuns"];

const orders = {
  createdAt: "r.created_at",
  modifiedAt: "r.modified_at",
  type: "r.type",
  status: "r.status",
  id: "r.id",
};

const withTest = (condition: string) => `EXISTS (SELECT FROM experiments.test t
  WHERE t.application_id = r.application_id AND t.run_id = r.id AND ${condition})`;

/** A page of the caller's application's runs. */
export function listRuns({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const page = pageOf(request, orders);
    const filter = filterOf(request);
    const values = parameters();
    const matching = `FROM experiments.run r WHERE ${allOf(values, {
      "r.application_id = ?": call.tenant.applicationId,
      "r.type = ANY (?)": filter.runTypes,
      "r.status = ANY (?)": filter.statuses,
      "r.created_at >= ?": filter.from,
      "r.created_at < ?": filter.until,
      [withTest("t.task_id = ANY (?)")]: filter.taskIds,
      [withTest("t.definition_ids && ?")]: filter.definitionIds,
    })}`;
    const count = { text: `SELECT count(*)::int AS total ${matching}`, values: values.values() };
    const [limit, skip] = [values.of(page.limit), values.of(page.skip)];
    const [rows, counts] = await database.readAll(call, [
      {
        text: `SELECT ${runColumns} ${matching} ORDER BY ${page.orderBy} LIMIT ${limit} OFFSET ${skip}`,
        values: values.values(),
      },
      count,
    ]);
    return { data: (rows as RunRow[]).map(run), pagination: pagination(page, counts?.[0]?.total ?? 0) };
  };
}
