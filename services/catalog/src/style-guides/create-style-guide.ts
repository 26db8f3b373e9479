import { forward } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import { StyleGuideSchema, type StyleGuideService } from "@ems/proto/catalog/v1/style_guide_service";
import type { Deps } from "../deps.ts";
import { newResource } from "../new-resource.ts";
import { rethrowMissingReference } from "../references/index.ts";
import { eventData } from "../sizes.ts";
import { StyleGuideEntity, type StyleGuideRow, sectionValues, styleGuideVersions } from "./entity.ts";
import { styleGuide } from "./messages.ts";

export function createStyleGuide({
  database,
  publish,
  applications,
  ...deps
}: Deps): Handlers<typeof StyleGuideService>["createStyleGuide"] {
  return async ({ content, quickstartId = null }, call) => {
    const row: StyleGuideRow = { ...newResource(deps, call), quickstartId, content: sectionValues(content) };
    const data = styleGuide(row);
    const value = eventData(StyleGuideSchema, data, { content: [] });
    // Throws "not found" if the application does not exist in identity.
    const check = () => applications.getApplication({ id: call.tenant.applicationId }, forward(call));
    const change = database.changeAfter(call, check, async (tx) => {
      await tx.insert(StyleGuideEntity, row);
      await publish(tx, call.tenant, { case: "styleGuideCreated", value });
      styleGuideVersions.answer(call, row);
      return { data };
    });
    return change.catch(rethrowMissingReference);
  };
}
