import { type Mount, mount } from "@ems/kit/rpc/service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import type { Deps } from "../deps.ts";
import { batchGetUsers } from "./batch-get-users.ts";
import { createUser } from "./create-user.ts";
import { getUser } from "./get-user.ts";
import { listUsers } from "./list-users.ts";

export { AppUserEntity } from "./entity.ts";
export { findOrCreateUser, type Person } from "./find-or-create-user.ts";

export const users = (deps: Deps): Mount =>
  mount(UserService, {
    listUsers: listUsers(deps),
    getUser: getUser(deps),
    createUser: createUser(deps),
    batchGetUsers: batchGetUsers(deps),
  });
