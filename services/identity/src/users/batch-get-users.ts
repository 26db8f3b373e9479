import { buildSelectList } from "@ems/kit/db/columns";
import type { Handlers } from "@ems/kit/rpc/service";
import type { UserService } from "@ems/proto/identity/v1/user_service";
import type { Deps } from "../deps.ts";
import { AppUserEntity, type AppUserRow } from "./entity.ts";
import { userReference } from "./messages.ts";

const text = `SELECT ${buildSelectList(AppUserEntity, "app_user")} FROM identity.app_user WHERE org_id = $1 AND id = ANY ($2)`;

/** Returns the users with these IDs in the caller's organization. Omits unknown IDs. */
export function batchGetUsers({ database }: Deps): Handlers<typeof UserService>["batchGetUsers"] {
  return async ({ ids }, call) => {
    const values = [call.tenant.orgId, ids];
    const rows = await database.read<AppUserRow>(call, { name: "batch-get-users", text, values });
    return { users: rows.map(userReference) };
  };
}
