import { assignedUsers, type Users } from "@ems/kit/assigned-users";
import type { Call } from "@ems/kit/rpc/call";

/** Who judged, by id, as far as identity knows them: a key without a user judges as nobody. */
export const annotators = (users: Users, call: Call, rows: readonly { readonly annotatorId: string }[]) =>
  assignedUsers(
    users,
    call,
    rows.map(({ annotatorId }) => ({ assignedTo: annotatorId || null })),
  );

/** The caller, who judges. */
export const annotatorOf = (users: Users, call: Call) => annotators(users, call, [{ annotatorId: call.tenant.userId }]);
