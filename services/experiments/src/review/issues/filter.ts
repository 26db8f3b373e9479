import { enumNames } from "@ems/kit/enum";
import {
  IssuePrioritySchema,
  IssueSourceSchema,
  IssueStatusSchema,
  IssueTypeSchema,
  type ListIssuesRequest,
} from "@ems/proto/experiments/v1/issue_service";

/** Predicates for the filters of both issue lists, on `experiments.issue issue`. */
export const issueFilters = {
  status: "issue.status = ANY (?)",
  priority: "issue.priority = ANY (?)",
  source: "issue.source = ANY (?)",
  type: "issue.type = ANY (?)",
  assignedTo: "issue.assigned_to = ?",
  parentId: "issue.parent_id = ?",
  topicId: "issue.topic_id = ?",
  taskId: "issue.task_id = ?",
  testId: "issue.test_id = ?",
  traceId: "issue.trace_id = ?",
  evalDefinitionId: "issue.eval_definition_id = ?",
};

export const issueOrders = { priority: "array_position('{LOW,MEDIUM,HIGH}', issue.priority)" };

export function buildFilters(request: Pick<ListIssuesRequest, keyof typeof issueFilters>) {
  const { assignedTo, parentId, topicId, taskId, testId, traceId, evalDefinitionId } = request;
  return {
    status: enumNames(IssueStatusSchema, request.status),
    priority: enumNames(IssuePrioritySchema, request.priority),
    source: enumNames(IssueSourceSchema, request.source),
    type: enumNames(IssueTypeSchema, request.type),
    assignedTo,
    parentId,
    topicId,
    taskId,
    testId,
    traceId,
    evalDefinitionId,
  };
}
