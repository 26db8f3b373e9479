import { notFound } from "@ems/kit/errors";
import { definedFields, textOrNull } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TagService } from "@ems/proto/catalog/v1/tag_service";
import type { Deps } from "../deps.ts";
import { TagEntity, tagVersions } from "./entity.ts";
import { tag } from "./messages.ts";
import { rethrowNameConflict } from "./name-conflict.ts";

export function updateTag({ database, clock }: Deps): Handlers<typeof TagService>["updateTag"] {
  return ({ id, name, color, description }, call) => {
    const answer = database.change(call, async (tx) => {
      const key = { applicationId: call.tenant.applicationId, id };
      const row = await tx.findOne(TagEntity, key, { lock: "UPDATE" });
      if (row === null) throw notFound("Tag");
      tagVersions.check(call, row);
      const change = definedFields({ name, color, description: textOrNull(description) });
      if (Object.keys(change).length === 0) {
        tagVersions.answer(call, row);
        return { data: tag(row) };
      }

      const changed = { ...change, modifiedAt: clock.now() };
      tx.deferUpdate(TagEntity, key, changed);
      const after = { ...row, ...changed };
      tagVersions.answer(call, after);
      return { data: tag(after) };
    });
    return answer.catch(rethrowNameConflict);
  };
}
