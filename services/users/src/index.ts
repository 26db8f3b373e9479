import type { Client } from "@connectrpc/connect";
import { type Call, forward } from "@ems/kit/rpc/call";
import type { UserService } from "@ems/proto/identity/v1/user_service";
import type { UserReference } from "@ems/proto/type/v1/user_reference";

/** Identity's users, limited to the caller's organization. */
export type Users = Pick<Client<typeof UserService>, "batchGetUsers">;

/** Returns the people in the rows' `assignedTo`, by id. */
export const assignedUsers = (users: Users, call: Call, rows: readonly { readonly assignedTo: string | null }[]) =>
  namedUsers(
    users,
    call,
    rows.map(({ assignedTo }) => assignedTo),
  );

/**
 * Returns the people with these ids, by id, with one call to identity. Skips unknown ids, null and the empty id of a
 * key without a user.
 */
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
