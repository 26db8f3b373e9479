import { rowById } from "@ems/kit/db/row-by-id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { UserService } from "@ems/proto/identity/v1/user_service";
import type { Deps } from "../deps.ts";
import { AppUserEntity } from "./entity.ts";
import { user } from "./messages.ts";

const userById = rowById(AppUserEntity, "User");

export function getUser({ database }: Deps): Handlers<typeof UserService>["getUser"] {
  return async ({ id }, call) => ({ data: user(await userById.read(database, call, id)) });
}
