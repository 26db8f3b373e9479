import { notFound } from "@ems/kit/errors";
import { given } from "@ems/kit/given";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TagService } from "@ems/proto/catalog/v1/tag_service";
import type { Deps } from "../deps.ts";
import { TagEntity, type TagRow } from "./entity.ts";
import { tag } from "./messages.ts";
import { nameTaken } from "./name-taken.ts";

type Handler = Handlers<typeof TagService>["updateTag"];

/** Changes what the request gives of a tag. */
export function updateTag({ database, clock }: Pick<Deps, "database" | "clock">): Handler {
  return ({ id, name, color, description }, call) =>
    database.change(call, async (tx) => {
      const which = { applicationId: call.tenant.applicationId, id };
      const found = await tx.findOne(TagEntity, which, { lock: "UPDATE" });
      if (found === null) throw notFound("Tag");
      const change = given<Pick<TagRow, "name" | "color" | "description">>({ name, color, description });
      if (Object.keys(change).length === 0) return { data: tag(found) };

      const modifiedAt = clock.now();
      await tx.update(TagEntity, which, { ...change, modifiedAt }).catch(nameTaken);
      return { data: tag({ ...found, ...change, modifiedAt }) };
    });
}
