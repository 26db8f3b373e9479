import { defineList, listPage } from "@ems/kit/db/list";
import type { Handlers } from "@ems/kit/rpc/service";
import { StyleGuideOrderSchema, type StyleGuideService } from "@ems/proto/catalog/v1/style_guide_service";
import { answerBytesMax } from "@ems/proto/limits";
import type { Deps } from "../deps.ts";
import { pageTooLarge } from "../sizes.ts";
import { StyleGuideEntity } from "./entity.ts";
import { styleGuide } from "./messages.ts";

const list = defineList(StyleGuideEntity, {
  alias: "style_guide",
  orderBy: StyleGuideOrderSchema,
  where: { quickstartId: "style_guide.quickstart_id = ?" },
  // Keeps PostgreSQL from sending contents that exceed the response limit: the query then returns no rows.
  fits: `${answerBytesMax} >= (SELECT sum(octet_length(sized.content::text)) FROM page
    JOIN catalog.style_guide sized ON sized.application_id = $1 AND sized.id = page.id)`,
});

export function listStyleGuides({ database }: Deps): Handlers<typeof StyleGuideService>["listStyleGuides"] {
  return async (request, call) => {
    const { quickstartId } = request;
    const { rows, pagination, isTooLarge } = await listPage(database, call, list, request, { quickstartId });
    if (isTooLarge) throw pageTooLarge();
    return { data: rows.map(styleGuide), pagination };
  };
}
