import { type Mount, mount } from "@ems/kit/rpc/service";
import { IssueService } from "@ems/proto/experiments/v1/issue_service";
import type { Deps } from "../../deps.ts";
import { acceptSuggestedTask } from "./accept-suggested-task.ts";
import { createIssue } from "./create-issue.ts";
import { getIssue } from "./get-issue.ts";
import { listIssues } from "./list-issues.ts";
import { listMinimalIssues } from "./list-minimal-issues.ts";
import { updateIssue } from "./update-issue.ts";
import { updateIssues } from "./update-issues.ts";

export { closePassed } from "./close-passed.ts";
export { IssueEntity } from "./entity.ts";
export { openIssue } from "./open-issue.ts";

export const issues = (deps: Deps): Mount =>
  mount(IssueService, {
    createIssue: createIssue(deps),
    listIssues: listIssues(deps),
    listMinimalIssues: listMinimalIssues(deps),
    getIssue: getIssue(deps),
    updateIssue: updateIssue(deps),
    updateIssues: updateIssues(deps),
    acceptSuggestedTask: acceptSuggestedTask(deps),
  });
