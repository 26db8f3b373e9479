import { rowById } from "@ems/kit/db/row-by-id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { StyleGuideService } from "@ems/proto/catalog/v1/style_guide_service";
import type { Deps } from "../deps.ts";
import { StyleGuideEntity, styleGuideVersions } from "./entity.ts";
import { styleGuide } from "./messages.ts";

export const styleGuideById = rowById(StyleGuideEntity, "Style guide");

export function getStyleGuide({ database }: Deps): Handlers<typeof StyleGuideService>["getStyleGuide"] {
  return async ({ id }, call) => {
    const row = await styleGuideById.read(database, call, id);
    styleGuideVersions.answer(call, row);
    return { data: styleGuide(row) };
  };
}
