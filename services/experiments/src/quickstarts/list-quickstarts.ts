import { pageOf, pagination } from "@ems/kit/db/page";
import type { Handlers } from "@ems/kit/rpc/service";
import type { QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import type { Deps } from "../deps.ts";
import type { QuickstartRow } from "./entity.ts";
import { quickstart } from "./messages.ts";
import { quickstartColumns } from "./queries.ts";

type Handler = Handlers<typeof QuickstartService>["listQuickstarts"];

const orders = { createdAt: "q.created_at", modifiedAt: "q.modified_at", title: "q.title", id: "q.id" };

const matching = "FROM experiments.quickstart q WHERE q.application_id = $1";

/** A page of the caller's application's quickstarts. */
export function listQuickstarts({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const page = pageOf(request, orders);
    const { applicationId } = call.tenant;
    const [rows, counts] = await database.readAll(call, [
      {
        name: `list-quickstarts-${page.orderName}`,
        text: `SELECT ${quickstartColumns} ${matching} ORDER BY ${page.orderBy} LIMIT $2 OFFSET $3`,
        values: [applicationId, page.limit, page.skip],
      },
      { name: "count-quickstarts", text: `SELECT count(*)::int AS total ${matching}`, values: [applicationId] },
    ]);
    return {
      data: (rows as QuickstartRow[]).map(quickstart),
      pagination: pagination(page, counts?.[0]?.total ?? 0),
    };
  };
}
