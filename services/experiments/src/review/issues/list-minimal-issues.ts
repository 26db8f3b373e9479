import { buildSelectList } from "@ems/kit/db/columns";
import { defineList, listPage } from "@ems/kit/db/list";
import { buildMessage } from "@ems/kit/message";
import type { Handlers } from "@ems/kit/rpc/service";
import { IssueOrderSchema, type IssueService, MinimalIssueSchema } from "@ems/proto/experiments/v1/issue_service";
import type { Deps } from "../../deps.ts";
import { IssueEntity, type IssueRow } from "./entity.ts";
import { buildFilters, issueFilters, issueOrders } from "./filter.ts";

type Handler = Handlers<typeof IssueService>["listMinimalIssues"];

const properties = ["id", "title", "status", "priority", "source", "type", "createdAt"] as const;

const list = defineList<IssueRow, Pick<IssueRow, (typeof properties)[number]>>(IssueEntity, {
  alias: "issue",
  name: "minimal-issue",
  orderBy: IssueOrderSchema,
  columns: buildSelectList(IssueEntity, "issue", properties),
  where: issueFilters,
  orders: issueOrders,
});

/** Lists the issues of the caller's application, without their descriptions and users. */
export function listMinimalIssues({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const { rows, pagination } = await listPage(database, call, list, request, buildFilters(request));
    return { data: rows.map((row) => buildMessage(MinimalIssueSchema, row)), pagination };
  };
}
