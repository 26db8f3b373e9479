import { EntitySchema } from "typeorm";

export interface TaskRow {
  applicationId: string;
  id: string;
  orgId: string;
  topicId: string | null;
  title: string;
  description: string;
  type: "NORMAL" | "STATIC";
  status: "DEDUCED" | "DRAFT" | "ACTIVE" | "ARCHIVED";
  isVerified: boolean;
  /** What a STATIC task asks. */
  prompts: string[];
  createdAt: Date;
  modifiedAt: Date;
}

export const TaskEntity = new EntitySchema<TaskRow>({
  name: "Task",
  tableName: "task",
  schema: "catalog",
  columns: {
    applicationId: { type: "uuid", name: "application_id", primary: true, primaryKeyConstraintName: "task_pkey" },
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "task_pkey" },
    orgId: { type: "text", name: "org_id" },
    topicId: { type: "uuid", name: "topic_id", nullable: true },
    title: { type: "text" },
    description: { type: "text" },
    type: { type: "text" },
    status: { type: "text" },
    isVerified: { type: "boolean", name: "is_verified", default: false },
    prompts: { type: "text", array: true, default: [] },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    modifiedAt: { type: "timestamptz", name: "modified_at", precision: 3 },
  },
  checks: [
    { name: "task_status_check", expression: "status IN ('DEDUCED', 'DRAFT', 'ACTIVE', 'ARCHIVED')" },
    { name: "task_type_check", expression: "type IN ('NORMAL', 'STATIC')" },
    { name: "task_prompts_check", expression: "type = 'STATIC' OR cardinality(prompts) = 0" },
  ],
  indices: [
    { name: "task_topic", columns: ["applicationId", "topicId"] },
    { name: "task_created", columns: ["applicationId", "createdAt", "id"] },
  ],
  foreignKeys: [
    {
      name: "task_topic_fkey",
      target: "Topic",
      columnNames: ["applicationId", "topicId"],
      referencedColumnNames: ["applicationId", "id"],
    },
  ],
});
