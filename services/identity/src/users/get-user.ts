import { columnsOf } from "@ems/kit/db/columns";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { UserService } from "@ems/proto/identity/v1/user_service";
import type { Deps } from "../deps.ts";
import { AppUserEntity, type AppUserRow } from "./entity.ts";
import { user } from "./messages.ts";

const text = `SELECT ${columnsOf(AppUserEntity, "app_user")} FROM identity.app_user WHERE org_id = $1 AND id = $2`;

export function getUser({ database }: Deps): Handlers<typeof UserService>["getUser"] {
  return async ({ id }, call) => {
    const values = [call.tenant.orgId, id];
    const [row] = await database.read<AppUserRow>(call, { name: "get-user", text, values });
    if (row === undefined) throw notFound("User");
    return { data: user(row) };
  };
}
