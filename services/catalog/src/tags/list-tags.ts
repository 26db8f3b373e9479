import { defineList, listPage } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import { TagOrderSchema, type TagService, TagStatusSchema } from "@ems/proto/catalog/v1/tag_service";
import type { Deps } from "../deps.ts";
import { TagEntity } from "./entity.ts";
import { tag } from "./messages.ts";

const list = defineList(TagEntity, {
  alias: "tag",
  orderBy: TagOrderSchema,
  where: { status: "tag.status = ANY (?)" },
  search: "catalog.find_tag",
});

/** Lists the tags of the caller's application; archived tags only on request. */
export function listTags({ database }: Deps): Handlers<typeof TagService>["listTags"] {
  return async (request, call) => {
    const status = enumNames(TagStatusSchema, request.status) ?? ["ACTIVE"];
    const { rows, pagination } = await listPage(database, call, list, request, { status }, { search: request.search });
    return { data: rows.map(tag), pagination };
  };
}
