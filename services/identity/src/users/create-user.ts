import { violatesUnique } from "@ems/kit/db/errors";
import { conflict } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { UserService } from "@ems/proto/identity/v1/user_service";
import type { Deps } from "../deps.ts";
import { AppUserEntity, type AppUserRow } from "./entity.ts";
import { user } from "./messages.ts";

export function createUser({ database, clock, newId }: Deps): Handlers<typeof UserService>["createUser"] {
  return async ({ id = newId(), name, email = null, image = null }, call) => {
    const now = clock.now();
    const row: AppUserRow = { orgId: call.tenant.orgId, id, name, email, image, createdAt: now, modifiedAt: now };
    const change = database.change(call, async (tx) => {
      await tx.insert(AppUserEntity, row);
      return { data: user(row) };
    });
    return change.catch((error: unknown) => {
      throw violatesUnique(error, "app_user_pkey") ? conflict("The user id is taken") : error;
    });
  };
}
