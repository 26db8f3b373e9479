import { type List, readList } from "@ems/kit/db/list";
import { pageOf, pagination } from "@ems/kit/db/page";
import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import { type TagService, TagStatus, TagStatusSchema } from "@ems/proto/catalog/v1/tag_service";
import type { Deps } from "../deps.ts";
import type { TagRow } from "./entity.ts";
import { tag } from "./messages.ts";
import { tagColumns } from "./queries.ts";

type Handler = Handlers<typeof TagService>["listTags"];

const orders = {
  createdAt: "g.created_at",
  modifiedAt: "g.modified_at",
  name: "g.name",
  status: "g.status",
  id: "g.id",
};

const list: List = {
  name: "tags",
  columns: tagColumns,
  from: "catalog.tag g",
  where: "g.application_id = $1 AND g.status = ANY ($2)",
  tenant: "g.application_id",
  id: "g.id",
  search: { id: "g.id", find: "catalog.find_tag" },
};

/** A page of the caller's application's tags; archived ones are hidden unless asked for. */
export function listTags({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const page = pageOf(request, orders);
    const asked = request.status.length > 0 ? request.status : [TagStatus.ACTIVE];
    const filters = [call.tenant.applicationId, asked.map((status) => enumName(TagStatusSchema, status))];
    const { rows, total } = await readList<TagRow>(database, call, list, page, filters, request.search);
    return { data: rows.map(tag), pagination: pagination(page, total) };
  };
}
