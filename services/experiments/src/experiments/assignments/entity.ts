import { foreignKey, oneOf, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";

export type AssignmentRow = Row<typeof AssignmentEntity>;

export const AssignmentEntity = table(
  "experiments.assignment",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    quickstartId: uuid,
    stage: oneOf("KB_REVIEW", "TASKS_TOPICS_REVIEW"),
    topicId: uuid,
    assignedTo: text,
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    uniques: [{ name: "assignment_topic_key", columns: ["applicationId", "quickstartId", "stage", "topicId"] }],
    indices: [{ name: "assignment_created", columns: ["applicationId", "quickstartId", "createdAt", "id"] }],
    foreignKeys: [foreignKey("assignment_quickstart_fkey", ["applicationId", "quickstartId"], "quickstart")],
  },
);
