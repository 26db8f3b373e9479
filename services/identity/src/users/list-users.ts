import { type List, readList } from "@ems/kit/db/list";
import { pageOf, pagination } from "@ems/kit/db/page";
import type { Handlers } from "@ems/kit/rpc/service";
import type { UserService } from "@ems/proto/identity/v1/user_service";
import type { Deps } from "../deps.ts";
import type { AppUserRow } from "./entity.ts";
import { user } from "./messages.ts";
import { userColumns } from "./queries.ts";

type Handler = Handlers<typeof UserService>["listUsers"];

const orders = { createdAt: "u.created_at", modifiedAt: "u.modified_at", name: "u.name", id: "u.id" };

const list: List = {
  name: "users",
  columns: userColumns,
  from: "identity.app_user u",
  where: "u.org_id = $1",
  tenant: "u.org_id",
  id: "u.id",
  search: { id: "u.id", find: "identity.find_app_user" },
};

/** A page of the caller's organisation's people. */
export function listUsers({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const page = pageOf(request, orders);
    const { rows, total } = await readList<AppUserRow>(database, call, list, page, [call.tenant.orgId], request.search);
    return { data: rows.map(user), pagination: pagination(page, total) };
  };
}
