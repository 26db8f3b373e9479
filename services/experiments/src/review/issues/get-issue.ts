import { rowById } from "@ems/kit/db/row-by-id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { IssueService } from "@ems/proto/experiments/v1/issue_service";
import { assignedUsers } from "@ems/users";
import type { Deps } from "../../deps.ts";
import { IssueEntity, type IssueRow, issueVersions } from "./entity.ts";
import { type IssueWithParts, issue } from "./messages.ts";
import { issueColumns, parts } from "./queries.ts";

type Handler = Handlers<typeof IssueService>["getIssue"];

export const issueById = rowById<IssueRow, IssueWithParts>(IssueEntity, "Issue", {
  columns: issueColumns,
  from: `experiments.issue issue ${parts}`,
});

/** Returns an issue of the caller's application. */
export function getIssue({ database, users }: Pick<Deps, "database" | "users">): Handler {
  return async ({ id }, call) => {
    const row = await issueById.read(database, call, id);
    issueVersions.answer(call, row);
    return { data: issue(row, await assignedUsers(users, call, [row])) };
  };
}
