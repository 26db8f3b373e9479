import { listOf, listPage } from "@ems/kit/db/list";
import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import { type TagService, TagStatus, TagStatusSchema } from "@ems/proto/catalog/v1/tag_service";
import type { Deps } from "../deps.ts";
import { TagEntity } from "./entity.ts";
import { tag } from "./messages.ts";

type Handler = Handlers<typeof TagService>["listTags"];

const list = listOf(TagEntity, { alias: "g", where: "g.status = ANY ($2)", search: "catalog.find_tag" });

/** A page of the caller's application's tags; archived ones are hidden unless asked for. */
export function listTags({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const requested = request.status.length > 0 ? request.status : [TagStatus.ACTIVE];
    const statuses = requested.map((status) => enumName(TagStatusSchema, status));
    const { rows, pagination } = await listPage(database, call, list, request, [statuses], { search: request.search });
    return { data: rows.map(tag), pagination };
  };
}
