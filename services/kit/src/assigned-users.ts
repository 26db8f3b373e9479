import type { Client } from "@connectrpc/connect";
import type { UserService } from "@ems/proto/identity/v1/user_service";
import type { UserReference } from "@ems/proto/type/v1/user_reference";
import { type Call, forward } from "./rpc/call.ts";

/** Identity's users, of the caller's organisation. */
export type Users = Pick<Client<typeof UserService>, "batchGetUsers">;

/** The people whom rows name in `assignedTo`, by id. */
export const assignedUsers = (users: Users, call: Call, rows: readonly { readonly assignedTo: string | null }[]) =>
  namedUsers(
    users,
    call,
    rows.map(({ assignedTo }) => assignedTo),
  );

/** Those of the people whom identity knows, by id, in one call to it. Null is nobody, and so is the empty id, of a key without a user. */
export async function namedUsers(
  users: Users,
  call: Call,
  named: readonly (string | null)[],
): Promise<ReadonlyMap<string, UserReference>> {
  const ids = [...new Set(named.flatMap((id) => id || []))];
  if (ids.length === 0) return new Map();
  const answer = await users.batchGetUsers({ ids }, forward(call));
  return new Map(answer.users.map((user) => [user.id, user]));
}
