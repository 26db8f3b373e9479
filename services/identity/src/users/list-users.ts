import { defineList, listPage } from "@ems/kit/db/list";
import type { Handlers } from "@ems/kit/rpc/service";
import { UserOrderSchema, type UserService } from "@ems/proto/identity/v1/user_service";
import type { Deps } from "../deps.ts";
import { AppUserEntity } from "./entity.ts";
import { user } from "./messages.ts";

const list = defineList(AppUserEntity, {
  alias: "app_user",
  orderBy: UserOrderSchema,
  search: "identity.find_app_user",
});

export function listUsers({ database }: Deps): Handlers<typeof UserService>["listUsers"] {
  return async (request, call) => {
    const { rows, pagination } = await listPage(database, call, list, request, {}, { search: request.search });
    return { data: rows.map(user), pagination };
  };
}
