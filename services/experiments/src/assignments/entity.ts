import { EntitySchema } from "typeorm";

export interface AssignmentRow {
  applicationId: string;
  id: string;
  orgId: string;
  quickstartId: string;
  stage: "KB_REVIEW" | "TASKS_TOPICS_REVIEW";
  topicId: string;
  assignedTo: string;
  createdAt: Date;
  modifiedAt: Date;
}

export const AssignmentEntity = new EntitySchema<AssignmentRow>({
  name: "Assignment",
  tableName: "assignment",
  schema: "experiments",
  columns: {
    applicationId: { type: "uuid", name: "application_id", primary: true, primaryKeyConstraintName: "assignment_pkey" },
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "assignment_pkey" },
    orgId: { type: "text", name: "org_id" },
    quickstartId: { type: "uuid", name: "quickstart_id" },
    stage: { type: "text" },
    topicId: { type: "uuid", name: "topic_id" },
    assignedTo: { type: "text", name: "assigned_to" },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    modifiedAt: { type: "timestamptz", name: "modified_at", precision: 3 },
  },
  checks: [{ name: "assignment_stage_check", expression: "stage IN ('KB_REVIEW', 'TASKS_TOPICS_REVIEW')" }],
  uniques: [{ name: "assignment_topic_key", columns: ["applicationId", "quickstartId", "stage", "topicId"] }],
  indices: [{ name: "assignment_created", columns: ["applicationId", "quickstartId", "createdAt", "id"] }],
  foreignKeys: [
    {
      name: "assignment_quickstart_fkey",
      target: "Quickstart",
      columnNames: ["applicationId", "quickstartId"],
      referencedColumnNames: ["applicationId", "id"],
    },
  ],
});
