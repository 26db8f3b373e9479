import {
  foreignKey,
  integer,
  nullable,
  oneOf,
  type Row,
  table,
  text,
  timestamp,
  uuid,
  withDefault,
  withDefaultNow,
} from "@ems/kit/db/table";
import { rowVersions } from "@ems/kit/db/version";

export type IssueRow = Row<typeof IssueEntity>;

export const IssueEntity = table(
  "experiments.issue",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    title: text,
    description: nullable(text),
    source: oneOf("TEST", "TASK", "TOPIC", "SYSTEM", "MONITORING", "API", "HUMAN_ANNOTATION"),
    type: oneOf("BUG", "HUMAN_ANNOTATION", "SUGGESTED_TASK", "USER_SIGNAL"),
    priority: oneOf("LOW", "MEDIUM", "HIGH"),
    status: oneOf("OPEN", "RESOLVED", "REJECTED"),
    assignedTo: nullable(text),
    annotationId: nullable(uuid),
    evalDefinitionId: nullable(uuid),
    experimentId: nullable(uuid),
    parentId: nullable(uuid),
    taskId: nullable(uuid),
    testId: nullable(uuid),
    topicId: nullable(uuid),
    traceId: nullable(uuid),
    createdAt: timestamp,
    modifiedAt: timestamp,
    summary: nullable(text),
    comment: nullable(text),
    impact: nullable(text),
    /** Number of times the problem occurred, and the time of the last occurrence. */
    occurrences: withDefault(integer, 1),
    lastOccurredAt: withDefaultNow(timestamp),
    resolvedByTestId: nullable(uuid),
    /** Subject of the issue as text (`subject.ts`); at most one open issue has the same subject. */
    subject: nullable(text),
  },
  {
    indices: [
      { name: "issue_created", columns: ["applicationId", "createdAt", "id"] },
      { name: "issue_status", columns: ["applicationId", "status", "createdAt", "id"] },
      { name: "issue_assigned", columns: ["applicationId", "assignedTo", "createdAt", "id"] },
      { name: "issue_subject", columns: ["applicationId", "subject"] },
      { name: "issue_task", columns: ["applicationId", "taskId", "status"] },
      { name: "issue_topic", columns: ["applicationId", "topicId", "status"] },
      { name: "issue_parent", columns: ["applicationId", "parentId", "createdAt", "id"] },
    ],
    foreignKeys: [foreignKey("issue_parent_fkey", ["applicationId", "parentId"], "issue")],
  },
);

/** Another occurrence creates no new version of the issue, although it updates `modifiedAt`. */
export const issueVersions = rowVersions(IssueEntity, { except: ["occurrences", "lastOccurredAt", "modifiedAt"] });
