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
import type { Deps } from "../deps.ts";
import { checkReferences } from "./check-references.ts";
import { IssueEntity, type IssueRow } from "./entity.ts";
import { issue } from "./messages.ts";

type Handler = Handlers<typeof IssueService>["createIssue"];

/** A new issue of the caller's application. */
export function createIssue({ database, publish, clock, newId, references }: Deps): Handler {
  return async ({ title, description = null, source, priority, type, ...ids }, call) => {
    const { applicationId, orgId } = call.tenant;
    const now = clock.now();
    // The spelling that PostgreSQL returns to later calls.
    const idOf = (id: string | undefined) => id?.toLowerCase() ?? null;
    const row: IssueRow = {
      applicationId,
      id: newId(),
      orgId,
      title,
      description,
      source: enumName(IssueSourceSchema, source),
      type: enumName(IssueTypeSchema, type ?? IssueType.BUG),
      priority: enumName(IssuePrioritySchema, priority ?? IssuePriority.MEDIUM),
      status: "OPEN",
      assignedTo: null,
      annotationId: idOf(ids.annotationId),
      evalDefinitionId: idOf(ids.evalDefinitionId),
      experimentId: idOf(ids.experimentId),
      parentId: idOf(ids.parentId),
      taskId: idOf(ids.taskId),
      testId: idOf(ids.testId),
      topicId: idOf(ids.topicId),
      traceId: idOf(ids.traceId),
      createdAt: now,
      modifiedAt: now,
    };
    const check = () => checkReferences({ database, references }, call, row);
    return database.changeAfter(call, check, async (tx) => {
      await tx.insert(IssueEntity, row);
      await publish(tx, call.tenant, { case: "issueCreated", value: issue({ ...row, issues: [] }, new Map()) });
      return {};
    });
  };
}
