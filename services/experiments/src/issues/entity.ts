import { foreignKey, nullable, oneOf, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";

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
  },
  {
    indices: [
      { name: "issue_created", columns: ["applicationId", "createdAt", "id"] },
      { name: "issue_status", columns: ["applicationId", "status", "createdAt", "id"] },
      { name: "issue_assigned", columns: ["applicationId", "assignedTo", "createdAt", "id"] },
      { name: "issue_parent", columns: ["applicationId", "parentId", "createdAt", "id"] },
    ],
    foreignKeys: [foreignKey("issue_parent_fkey", ["applicationId", "parentId"], "issue")],
  },
);
