import type { Handlers } from "@ems/kit/rpc/service";
import type { UserService } from "@ems/proto/identity/v1/user_service";
import { In } from "typeorm";
import type { Deps } from "../deps.ts";
import { AppUserEntity } from "./entity.ts";
import { userReference } from "./messages.ts";

/** Ids of no user of the caller's organisation are left out. */
export function batchGetUsers({ database }: Deps): Handlers<typeof UserService>["batchGetUsers"] {
  return async ({ ids }, call) => {
    const { orgId } = call.tenant;
    const rows = await database.withTenant(call, (tx) => tx.find(AppUserEntity, { orgId, id: In(ids) }));
    return { users: rows.map(userReference) };
  };
}
