import { buildMessage } from "@ems/kit/message";
import { IssueSchema, SubIssueSchema } from "@ems/proto/experiments/v1/issue_service";
import type { UserReference } from "@ems/proto/type/v1/user_reference";
import type { IssueRow } from "./entity.ts";

/** An issue with the first few of its parts, which are issues, too. */
export interface IssueWithParts extends IssueRow {
  readonly issues: Pick<IssueRow, "id" | "title" | "status">[];
}

export const issue = (row: IssueWithParts, users: ReadonlyMap<string, UserReference>) =>
  buildMessage(IssueSchema, {
    ...row,
    issues: row.issues.map((part) => buildMessage(SubIssueSchema, part)),
    assignedUser: users.get(row.assignedTo ?? ""),
  });
