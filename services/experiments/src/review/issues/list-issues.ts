import { defineList, listPage } from "@ems/kit/db/list";
import type { Handlers } from "@ems/kit/rpc/service";
import { IssueOrderSchema, type IssueService } from "@ems/proto/experiments/v1/issue_service";
import { assignedUsers } from "@ems/users";
import type { Deps } from "../../deps.ts";
import { IssueEntity, type IssueRow } from "./entity.ts";
import { buildFilters, issueFilters, issueOrders } from "./filter.ts";
import { type IssueWithParts, issue } from "./messages.ts";
import { issueColumns, parts } from "./queries.ts";

type Handler = Handlers<typeof IssueService>["listIssues"];

const list = defineList<IssueRow, IssueWithParts>(IssueEntity, {
  alias: "issue",
  orderBy: IssueOrderSchema,
  columns: issueColumns,
  where: issueFilters,
  orders: issueOrders,
  join: parts,
});

/** Lists the issues of the caller's application. */
export function listIssues({ database, users }: Pick<Deps, "database" | "users">): Handler {
  return async (request, call) => {
    const { rows, pagination } = await listPage(database, call, list, request, buildFilters(request));
    const people = await assignedUsers(users, call, rows);
    return { data: rows.map((row) => issue(row, people)), pagination };
  };
}
