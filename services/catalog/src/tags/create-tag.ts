import type { Handlers } from "@ems/kit/rpc/service";
import type { TagService } from "@ems/proto/catalog/v1/tag_service";
import type { Deps } from "../deps.ts";
import { newResource } from "../new-resource.ts";
import { TagEntity, type TagRow, tagVersions } from "./entity.ts";
import { tag } from "./messages.ts";
import { rethrowNameConflict } from "./name-conflict.ts";

export function createTag({ database, ...deps }: Deps): Handlers<typeof TagService>["createTag"] {
  return async ({ name, color = "#3B82F6", description = null }, call) => {
    const row: TagRow = { ...newResource(deps, call), name, color, description, status: "ACTIVE" };
    const change = database.change(call, async (tx) => {
      await tx.insert(TagEntity, row);
      tagVersions.answer(call, row);
      return { data: tag(row) };
    });
    return change.catch(rethrowNameConflict);
  };
}
