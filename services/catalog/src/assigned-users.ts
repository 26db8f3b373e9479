import { type Call, forward } from "@ems/kit/rpc/call";
import type { UserReference } from "@ems/proto/type/v1/user_reference";
import type { Deps } from "./deps.ts";

/** The people whom rows name in `assignedTo`, by id, in one call to identity; none when nobody is named. */
export async function assignedUsers(
  users: Deps["users"],
  call: Call,
  rows: readonly { readonly assignedTo: string | null }[],
): Promise<ReadonlyMap<string, UserReference>> {
  const ids = [...new Set(rows.flatMap(({ assignedTo }) => (assignedTo === null ? [] : [assignedTo])))];
  if (ids.length === 0) return new Map();
  const answer = await users.batchGetUsers({ ids }, forward(call));
  return new Map(answer.users.map((user) => [user.id, user]));
}
