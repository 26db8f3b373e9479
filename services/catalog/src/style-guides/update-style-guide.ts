import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { StyleGuideService } from "@ems/proto/catalog/v1/style_guide_service";
import type { Deps } from "../deps.ts";
import { StyleGuideEntity, sectionValues, styleGuideVersions } from "./entity.ts";
import { styleGuide } from "./messages.ts";

/** Makes a new version of each definition that uses the style guide, after a change of its content. */
const countVersions = `UPDATE catalog.eval_definition SET version = version + 1
  WHERE application_id = $1 AND style_guide_id = $2 AND EXISTS (SELECT FROM catalog.style_guide guide
    WHERE guide.application_id = $1 AND guide.id = $2 AND guide.content <> $3::jsonb)`;

export function updateStyleGuide({ database, clock }: Deps): Handlers<typeof StyleGuideService>["updateStyleGuide"] {
  return ({ id, content }, call) =>
    database.change(call, async (tx) => {
      const key = { applicationId: call.tenant.applicationId, id };
      const change = { content: sectionValues(content), modifiedAt: clock.now() };
      await styleGuideVersions.lock(tx, call, key);
      tx.defer(countVersions, [key.applicationId, id, JSON.stringify(change.content)]);
      tx.deferUpdate(StyleGuideEntity, key, change);
      const changed = await tx.commit(tx.findOne(StyleGuideEntity, key));
      if (changed === null) throw notFound("Style guide");
      styleGuideVersions.answer(call, changed);
      return { data: styleGuide(changed) };
    });
}
