import { columnsOf } from "@ems/kit/db/columns";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { StyleGuideService } from "@ems/proto/catalog/v1/style_guide_service";
import type { Deps } from "../deps.ts";
import { StyleGuideEntity, type StyleGuideRow } from "./entity.ts";
import { styleGuide } from "./messages.ts";

const text = `SELECT ${columnsOf(StyleGuideEntity, "style_guide")} FROM catalog.style_guide
  WHERE application_id = $1 AND id = $2`;

export function getStyleGuide({ database }: Deps): Handlers<typeof StyleGuideService>["getStyleGuide"] {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [row] = await database.read<StyleGuideRow>(call, { name: "get-style-guide", text, values });
    if (row === undefined) throw notFound("Style guide");
    return { data: styleGuide(row) };
  };
}
