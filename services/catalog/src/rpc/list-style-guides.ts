import { pageOf, pagination } from "@ems/kit/db/page";
import type { Handlers } from "@ems/kit/rpc/service";
import type { StyleGuideService } from "@ems/proto/catalog/v1/style_guide_service";
import { styleGuide } from "../definition-messages.ts";
import type { Deps } from "../deps.ts";
import { type StyleGuideRow, styleGuideColumns } from "../entities/style-guide.ts";

type Handler = Handlers<typeof StyleGuideService>["listStyleGuides"];

const orders = { createdAt: "created_at", modifiedAt: "modified_at", id: "id" };

const matching = "FROM catalog.style_guide WHERE application_id = $1";

/** A page of the caller's application's style guides. */
export function listStyleGuides({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const page = pageOf(request, orders);
    const { applicationId } = call.tenant;
    const [rows, counts] = await database.readAll(call, [
      {
        name: `list-style-guides-${page.orderName}`,
        text: `SELECT ${styleGuideColumns} ${matching} ORDER BY ${page.orderBy} LIMIT $2 OFFSET $3`,
        values: [applicationId, page.limit, page.skip],
      },
      { name: "count-style-guides", text: `SELECT count(*)::int AS total ${matching}`, values: [applicationId] },
    ]);
    return {
      data: (rows as StyleGuideRow[]).map(styleGuide),
      pagination: pagination(page, counts?.[0]?.total ?? 0),
    };
  };
}
