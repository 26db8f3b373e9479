import { enumName } from "@ems/kit/enum";
import { definedFields, textOrNull } from "@ems/kit/patch";
import {
  IssuePrioritySchema,
  IssueStatusSchema,
  IssueTypeSchema,
  type UpdateIssueRequest,
  type UpdateIssuesRequest,
} from "@ems/proto/experiments/v1/issue_service";
import type { IssueRow } from "./entity.ts";
import { buildSubject, isAboutOther } from "./subject.ts";

type Common = Pick<UpdateIssuesRequest, "status" | "priority" | "type" | "assignedTo" | "topicId" | "comment">;

/** Returns the columns that a request for many issues changes. */
export function readSharedChanges(request: Common): Partial<IssueRow> {
  return definedFields({
    status: enumName<IssueRow["status"]>(IssueStatusSchema, request.status),
    priority: enumName<IssueRow["priority"]>(IssuePrioritySchema, request.priority),
    type: enumName<IssueRow["type"]>(IssueTypeSchema, request.type),
    assignedTo: textOrNull(request.assignedTo),
    topicId: idOrNull(request.topicId),
    comment: textOrNull(request.comment),
  });
}

/** Returns the columns that a request for one issue changes. */
export function readChanges(request: UpdateIssueRequest): Partial<IssueRow> {
  return {
    ...readSharedChanges(request),
    ...definedFields({
      title: request.title,
      description: textOrNull(request.description),
      summary: textOrNull(request.summary),
      impact: textOrNull(request.impact),
      annotationId: idOrNull(request.annotationId),
      evalDefinitionId: idOrNull(request.evalDefinitionId),
      parentId: idOrNull(request.parentId),
      taskId: idOrNull(request.taskId),
      testId: idOrNull(request.testId),
      traceId: idOrNull(request.traceId),
    }),
  };
}

/** Returns the columns to write; empty if nothing changes. */
export function changed(row: IssueRow, changes: Partial<IssueRow>, now: Date): Partial<IssueRow> {
  if (Object.keys(changes).length === 0) return {};
  const isReopened = changes.status === "OPEN" && row.status !== "OPEN";
  return {
    ...changes,
    ...(isAboutOther(changes) && { subject: buildSubject({ ...row, ...changes }) }),
    // Tests from before the reopening must not close the issue again.
    ...(isReopened && { resolvedByTestId: null, lastOccurredAt: now }),
    modifiedAt: now,
  };
}

function idOrNull(value: Parameters<typeof textOrNull>[0]): string | null | undefined {
  const id = textOrNull(value);
  return id?.toLowerCase() ?? id;
}
