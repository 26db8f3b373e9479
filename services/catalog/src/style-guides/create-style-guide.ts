import type { Handlers } from "@ems/kit/rpc/service";
import { StyleGuideSchema, type StyleGuideService } from "@ems/proto/catalog/v1/style_guide_service";
import { styleGuide } from "../definitions/messages.ts";
import type { Deps } from "../deps.ts";
import { StyleGuideEntity, type StyleGuideRow, sectionValues } from "./entity.ts";
import { fitsEvent } from "../event-size.ts";
import { callersApplication } from "../definitions/application.ts";

type Handler = Handlers<typeof StyleGuideService>["createStyleGuide"];

/** A new style guide of the caller's application. */
export function createStyleGuide({ database, publish, clock, newId, applications }: Deps): Handler {
  return async ({ content }, call) => {
    // Its answer is not needed, but that there is one: without an application this throws.
    await callersApplication(applications, call);
    const { applicationId, orgId } = call.tenant;
    const now = clock.now();
    const row: StyleGuideRow = {
      applicationId,
      id: newId(),
      orgId,
      content: sectionValues(content),
      createdAt: now,
      modifiedAt: now,
    };
    const data = styleGuide(row);
    const told = fitsEvent(StyleGuideSchema, data) ? data : { ...data, content: [] };
    return database.change(call, async (manager) => {
      await manager.insert(StyleGuideEntity, row);
      await publish(manager, call.tenant, { case: "styleGuideCreated", value: told });
      return { data };
    });
  };
}
