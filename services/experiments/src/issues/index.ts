import { type Mount, mount } from "@ems/kit/rpc/service";
import { IssueService } from "@ems/proto/experiments/v1/issue_service";
import type { Deps } from "../deps.ts";
import { createIssue } from "./create-issue.ts";
import { getIssue } from "./get-issue.ts";
import { listIssues } from "./list-issues.ts";

export { IssueEntity } from "./entity.ts";
export { openIssue } from "./open-issue.ts";

export const issues = (deps: Deps): Mount =>
  mount(IssueService, { createIssue: createIssue(deps), listIssues: listIssues(deps), getIssue: getIssue(deps) });
