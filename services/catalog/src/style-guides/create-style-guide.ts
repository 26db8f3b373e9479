import { forward } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import { StyleGuideSchema, type StyleGuideService } from "@ems/proto/catalog/v1/style_guide_service";
import type { Deps } from "../deps.ts";
import { fitsEvent } from "../event-size.ts";
import { StyleGuideEntity, type StyleGuideRow, sectionValues } from "./entity.ts";
import { styleGuide } from "./messages.ts";

type Handler = Handlers<typeof StyleGuideService>["createStyleGuide"];

/** A new style guide of the caller's application. */
export function createStyleGuide({ database, publish, clock, newId, applications }: Deps): Handler {
  return async ({ content }, call) => {
    const { applicationId, orgId } = call.tenant;
    // Not found when identity has no such application.
    await applications.getApplication({ id: applicationId }, forward(call));
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
    return database.change(call, async (tx) => {
      await tx.insert(StyleGuideEntity, row);
      await publish(tx, call.tenant, { case: "styleGuideCreated", value: told });
      return { data };
    });
  };
}
