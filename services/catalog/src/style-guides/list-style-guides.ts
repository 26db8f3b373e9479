import { columnsOf } from "@ems/kit/db/columns";
import { pageOf, pagination } from "@ems/kit/db/page";
import type { Handlers } from "@ems/kit/rpc/service";
import type { StyleGuideService } from "@ems/proto/catalog/v1/style_guide_service";
import { answerBytesMax, pageTooLarge } from "../answer-size.ts";
import type { Deps } from "../deps.ts";
import { StyleGuideEntity, type StyleGuideRow } from "./entity.ts";
import { styleGuide } from "./messages.ts";

type Handler = Handlers<typeof StyleGuideService>["listStyleGuides"];

const orders = { createdAt: "created_at", modifiedAt: "modified_at", id: "id" };

/** Contents are fetched only when they fit an answer: a page that does not has no rows. */
const pageText = (orderBy: string) => `WITH page AS MATERIALIZED (
    SELECT * ${matching} ORDER BY ${orderBy} LIMIT $2 OFFSET $3
  )
  SELECT ${columnsOf(StyleGuideEntity, "page")} FROM page
  WHERE (SELECT sum(octet_length(content::text)) FROM page) <= $4 ORDER BY ${orderBy}`;

const matching = "FROM catalog.style_guide WHERE application_id = $1";

/** A page of the caller's application's style guides. */
export function listStyleGuides({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const page = pageOf(request, orders);
    const { applicationId } = call.tenant;
    const [rows = [], counts] = await database.readAll(call, [
      {
        name: `list-style-guides-${page.orderName}`,
        text: pageText(page.orderBy),
        values: [applicationId, page.limit, page.skip, answerBytesMax],
      },
      { name: "count-style-guides", text: `SELECT count(*)::int AS total ${matching}`, values: [applicationId] },
    ]);
    const total: number = counts?.[0]?.total ?? 0;
    if (rows.length === 0 && page.skip < total) throw pageTooLarge();
    return {
      data: (rows as StyleGuideRow[]).map(styleGuide),
      pagination: pagination(page, total),
    };
  };
}
