import { assignedUsers } from "@ems/kit/assigned-users";
import { listOf, listPage } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  IssueOrderSchema,
  IssuePrioritySchema,
  type IssueService,
  IssueSourceSchema,
  IssueStatusSchema,
  IssueTypeSchema,
} from "@ems/proto/experiments/v1/issue_service";
import type { Deps } from "../deps.ts";
import { IssueEntity, type IssueRow } from "./entity.ts";
import { type IssueWithParts, issue } from "./messages.ts";
import { issueColumns, parts } from "./queries.ts";

type Handler = Handlers<typeof IssueService>["listIssues"];

const list = listOf<IssueRow, IssueWithParts>(IssueEntity, {
  alias: "issue",
  orderBy: IssueOrderSchema,
  columns: issueColumns,
  where: {
    status: "issue.status = ANY (?)",
    priority: "issue.priority = ANY (?)",
    source: "issue.source = ANY (?)",
    type: "issue.type = ANY (?)",
    assignedTo: "issue.assigned_to = ?",
    parentId: "issue.parent_id = ?",
  },
  orders: { priority: "array_position('{LOW,MEDIUM,HIGH}', issue.priority)" },
  join: parts,
});

/** A page of the caller's application's issues. */
export function listIssues({ database, users }: Pick<Deps, "database" | "users">): Handler {
  return async (request, call) => {
    const filters = {
      status: enumNames(IssueStatusSchema, request.status),
      priority: enumNames(IssuePrioritySchema, request.priority),
      source: enumNames(IssueSourceSchema, request.source),
      type: enumNames(IssueTypeSchema, request.type),
      assignedTo: request.assignedTo,
      parentId: request.parentId,
    };
    const { rows, pagination } = await listPage(database, call, list, request, filters);
    const people = await assignedUsers(users, call, rows);
    return { data: rows.map((row) => issue(row, people)), pagination };
  };
}
