import { listOf, listPage } from "@ems/kit/db/list";
import type { Handlers } from "@ems/kit/rpc/service";
import type { UserService } from "@ems/proto/identity/v1/user_service";
import type { Deps } from "../deps.ts";
import { AppUserEntity } from "./entity.ts";
import { user } from "./messages.ts";

type Handler = Handlers<typeof UserService>["listUsers"];

const list = listOf(AppUserEntity, { alias: "u", search: "identity.find_app_user" });

/** A page of the caller's organisation's people. */
export function listUsers({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const { rows, pagination } = await listPage(database, call, list, request, [], { search: request.search });
    return { data: rows.map(user), pagination };
  };
}
