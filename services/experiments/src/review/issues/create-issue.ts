import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  IssuePriority,
  IssuePrioritySchema,
  type IssueService,
  IssueSourceSchema,
  IssueType,
  IssueTypeSchema,
} from "@ems/proto/experiments/v1/issue_service";
import type { Deps } from "../../deps.ts";
import { checkReferences } from "./check-references.ts";
import { openIssue } from "./open-issue.ts";

type Handler = Handlers<typeof IssueService>["createIssue"];

/** Creates an issue in the caller's application. */
export function createIssue({ database, stores, references, ...deps }: Deps): Handler {
  return async ({ title, description = null, source, priority, type, ...ids }, call) => {
    // In lower case, because PostgreSQL returns UUIDs in lower case.
    const normalizeId = (id: string | undefined) => id?.toLowerCase() ?? null;
    const about = {
      annotationId: normalizeId(ids.annotationId),
      evalDefinitionId: normalizeId(ids.evalDefinitionId),
      experimentId: normalizeId(ids.experimentId),
      parentId: normalizeId(ids.parentId),
      taskId: normalizeId(ids.taskId),
      testId: normalizeId(ids.testId),
      topicId: normalizeId(ids.topicId),
      traceId: normalizeId(ids.traceId),
    };
    const check = () => checkReferences({ stores, references }, call, about);
    return database.changeAfter(call, check, async (tx, { test }) => {
      const { taskId, topicId } = about;
      await openIssue(deps, tx, call, {
        title,
        description,
        ...about,
        taskId: taskId ?? test?.taskId ?? null,
        topicId: topicId ?? test?.topicId ?? null,
        source: enumName(IssueSourceSchema, source),
        type: enumName(IssueTypeSchema, type ?? IssueType.BUG),
        priority: enumName(IssuePrioritySchema, priority ?? IssuePriority.MEDIUM),
      });
      return {};
    });
  };
}
