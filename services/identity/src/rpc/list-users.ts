import { containing, pageOf, pagination } from "@ems/kit/db/page";
import type { Handlers } from "@ems/kit/rpc/service";
import type { UserService } from "@ems/proto/identity/v1/user_service";
import type { Deps } from "../deps.ts";
import type { AppUserRow } from "../entities/app-user.ts";
import { user } from "../user-messages.ts";
import { userColumns } from "../user-sql.ts";

type Handler = Handlers<typeof UserService>["listUsers"];

const orders = { createdAt: "u.created_at", modifiedAt: "u.modified_at", name: "u.name", id: "u.id" };

const matching = `FROM identity.app_user u
  WHERE u.org_id = $1 AND ($2::text IS NULL OR u.name ILIKE $2 OR u.email ILIKE $2)`;

/** A page of the caller's organisation's people. */
export function listUsers({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const page = pageOf(request, orders);
    const filters = [call.tenant.orgId, request.search === undefined ? null : containing(request.search)];
    const [rows, counts] = await database.readAll(call, [
      {
        name: `list-users-${page.orderName}`,
        text: `SELECT ${userColumns} ${matching} ORDER BY ${page.orderBy} LIMIT $3 OFFSET $4`,
        values: [...filters, page.limit, page.skip],
      },
      { name: "count-users", text: `SELECT count(*)::int AS total ${matching}`, values: filters },
    ]);
    const users = rows as AppUserRow[];
    return { data: users.map(user), pagination: pagination(page, counts?.[0]?.total ?? 0) };
  };
}
