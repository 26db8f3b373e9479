import { listOf, listPage } from "@ems/kit/db/list";
import type { Handlers } from "@ems/kit/rpc/service";
import type { StyleGuideService } from "@ems/proto/catalog/v1/style_guide_service";
import { answerBytesMax, pageTooLarge } from "../answer-size.ts";
import type { Deps } from "../deps.ts";
import { StyleGuideEntity } from "./entity.ts";
import { styleGuide } from "./messages.ts";

type Handler = Handlers<typeof StyleGuideService>["listStyleGuides"];

const list = listOf(StyleGuideEntity, {
  alias: "s",
  // Contents are fetched only when they fit an answer.
  fits: `${answerBytesMax} >= (SELECT sum(octet_length(g.content::text)) FROM page
    JOIN catalog.style_guide g ON g.application_id = $1 AND g.id = page.id)`,
});

/** A page of the caller's application's style guides. */
export function listStyleGuides({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const { rows, pagination, isTooLarge } = await listPage(database, call, list, request);
    if (isTooLarge) throw pageTooLarge();
    return { data: rows.map(styleGuide), pagination };
  };
}
