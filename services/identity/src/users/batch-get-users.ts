import type { Handlers } from "@ems/kit/rpc/service";
import type { UserService } from "@ems/proto/identity/v1/user_service";
import { In } from "typeorm";
import type { Deps } from "../deps.ts";
import { AppUserEntity } from "./entity.ts";
import { userReference } from "./messages.ts";

type Handler = Handlers<typeof UserService>["batchGetUsers"];

/** The users of the caller's organisation that those ids name. */
export function batchGetUsers({ database }: Pick<Deps, "database">): Handler {
  return async ({ ids }, call) => {
    const { orgId } = call.tenant;
    const rows = await database.withTenant(call, (tx) => tx.find(AppUserEntity, { orgId, id: In(ids) }));
    return { users: rows.map(userReference) };
  };
}
