import { type Mount, mount } from "@ems/kit/rpc/service";
import { StyleGuideService } from "@ems/proto/catalog/v1/style_guide_service";
import type { Deps } from "../deps.ts";
import { createStyleGuide } from "./create-style-guide.ts";
import { getStyleGuide } from "./get-style-guide.ts";
import { listStyleGuides } from "./list-style-guides.ts";
import { updateStyleGuide } from "./update-style-guide.ts";

export type { StyleGuideSectionValue } from "./entity.ts";
export { styleGuideById } from "./get-style-guide.ts";

export const styleGuides = (deps: Deps): Mount =>
  mount(StyleGuideService, {
    createStyleGuide: createStyleGuide(deps),
    listStyleGuides: listStyleGuides(deps),
    getStyleGuide: getStyleGuide(deps),
    updateStyleGuide: updateStyleGuide(deps),
  });
