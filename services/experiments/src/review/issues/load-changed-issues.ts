import type { Transaction } from "@ems/kit/db/transaction";
import type { Call } from "@ems/kit/rpc/call";
import { assignedUsers } from "@ems/users";
import type { Deps } from "../../deps.ts";
import { type IssueWithParts, issue } from "./messages.ts";
import { issueColumns, parts } from "./queries.ts";

const byIds = `SELECT ${issueColumns} FROM experiments.issue issue ${parts}
  WHERE issue.application_id = $1 AND issue.id = ANY ($2::uuid[])`;

/**
 * Loads the issues as the transaction changed them, in the order of the ids. The query first runs the statements of
 * `tx.defer`.
 */
export async function loadChangedIssues(
  { users }: Pick<Deps, "users">,
  tx: Transaction,
  call: Call,
  ids: readonly string[],
) {
  const rows = await tx.query<IssueWithParts>(byIds, [call.tenant.applicationId, ids]);
  const people = await assignedUsers(users, call, rows);
  const byId = new Map(rows.map((row) => [row.id, issue(row, people)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
