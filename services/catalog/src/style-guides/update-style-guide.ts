import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { StyleGuideService } from "@ems/proto/catalog/v1/style_guide_service";
import type { Deps } from "../deps.ts";
import { StyleGuideEntity, sectionValues } from "./entity.ts";
import { styleGuide } from "./messages.ts";

export function updateStyleGuide({ database, clock }: Deps): Handlers<typeof StyleGuideService>["updateStyleGuide"] {
  return ({ id, content }, call) =>
    database.change(call, async (tx) => {
      const key = { applicationId: call.tenant.applicationId, id };
      const change = { content: sectionValues(content), modifiedAt: clock.now() };
      tx.deferUpdate(StyleGuideEntity, key, change);
      const changed = await tx.commit(tx.findOne(StyleGuideEntity, key));
      if (changed === null) throw notFound("Style guide");
      return { data: styleGuide(changed) };
    });
}
