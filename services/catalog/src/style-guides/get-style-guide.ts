import { columnsOf } from "@ems/kit/db/columns";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { StyleGuideService } from "@ems/proto/catalog/v1/style_guide_service";
import type { Deps } from "../deps.ts";
import { StyleGuideEntity, type StyleGuideRow } from "./entity.ts";
import { styleGuide } from "./messages.ts";

type Handler = Handlers<typeof StyleGuideService>["getStyleGuide"];

const oneStyleGuide = `SELECT ${columnsOf(StyleGuideEntity, "s")} FROM catalog.style_guide s
  WHERE s.application_id = $1 AND s.id = $2`;

/** One style guide of the caller's application. */
export function getStyleGuide({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [row] = await database.read<StyleGuideRow>(call, { name: "get-style-guide", text: oneStyleGuide, values });
    if (row === undefined) throw notFound("Style guide");
    return { data: styleGuide(row) };
  };
}
