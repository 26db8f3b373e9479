import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { UserService } from "@ems/proto/identity/v1/user_service";
import type { Deps } from "../deps.ts";
import type { AppUserRow } from "./entity.ts";
import { user } from "./messages.ts";
import { userColumns } from "./queries.ts";

type Handler = Handlers<typeof UserService>["getUser"];

/** One person of the caller's organisation. */
export function getUser({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => {
    const [row] = await database.read<AppUserRow>(call, {
      name: "get-user",
      text: `SELECT ${userColumns} FROM identity.app_user u WHERE u.org_id = $1 AND u.id = $2`,
      values: [call.tenant.orgId, id],
    });
    if (row === undefined) throw notFound("User");
    return { data: user(row) };
  };
}
