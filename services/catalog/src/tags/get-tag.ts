import { rowById } from "@ems/kit/db/row-by-id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TagService } from "@ems/proto/catalog/v1/tag_service";
import type { Deps } from "../deps.ts";
import { TagEntity, tagVersions } from "./entity.ts";
import { tag } from "./messages.ts";

const tagById = rowById(TagEntity, "Tag");

export function getTag({ database }: Deps): Handlers<typeof TagService>["getTag"] {
  return async ({ id }, call) => {
    const row = await tagById.read(database, call, id);
    tagVersions.answer(call, row);
    return { data: tag(row) };
  };
}
