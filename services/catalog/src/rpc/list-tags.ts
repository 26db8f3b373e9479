import { containing, pageOf, pagination } from "@ems/kit/db/page";
import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import { type TagService, TagStatus, TagStatusSchema } from "@ems/proto/catalog/v1/tag_service";
import type { Deps } from "../deps.ts";
import type { TagRow } from "../entities/tag.ts";
import { tag } from "../task-messages.ts";
import { tagColumns } from "../task-sql.ts";

type Handler = Handlers<typeof TagService>["listTags"];

const orders = {
  createdAt: "g.created_at",
  modifiedAt: "g.modified_at",
  name: "g.name",
  status: "g.status",
  id: "g.id",
};

const matching = `FROM catalog.tag g
  WHERE g.application_id = $1 AND g.status = ANY ($2)
    AND ($3::text IS NULL OR g.name ILIKE $3 OR g.description ILIKE $3)`;

/** A page of the caller's application's tags; archived ones are hidden unless asked for. */
export function listTags({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const page = pageOf(request, orders);
    const asked = request.status.length > 0 ? request.status : [TagStatus.ACTIVE];
    const filters = [
      call.tenant.applicationId,
      asked.map((status) => enumName(TagStatusSchema, status)),
      request.search === undefined ? null : containing(request.search),
    ];
    const [rows, counts] = await database.readAll(call, [
      {
        name: `list-tags-${page.orderName}`,
        text: `SELECT ${tagColumns} ${matching} ORDER BY ${page.orderBy} LIMIT $4 OFFSET $5`,
        values: [...filters, page.limit, page.skip],
      },
      { name: "count-tags", text: `SELECT count(*)::int AS total ${matching}`, values: filters },
    ]);
    return {
      data: (rows as TagRow[]).map(tag),
      pagination: pagination(page, counts?.[0]?.total ?? 0),
    };
  };
}
