import { EntitySchema } from "typeorm";

/** A task has a tag. */
export interface TaskTagRow {
  applicationId: string;
  taskId: string;
  tagId: string;
}

const primary = { type: "uuid", primary: true, primaryKeyConstraintName: "task_tag_pkey" } as const;

export const TaskTagEntity = new EntitySchema<TaskTagRow>({
  name: "TaskTag",
  tableName: "task_tag",
  schema: "catalog",
  columns: {
    applicationId: { ...primary, name: "application_id" },
    taskId: { ...primary, name: "task_id" },
    tagId: { ...primary, name: "tag_id" },
  },
  indices: [{ name: "task_tag_tag", columns: ["applicationId", "tagId"] }],
  foreignKeys: [
    {
      name: "task_tag_task_fkey",
      target: "Task",
      columnNames: ["applicationId", "taskId"],
      referencedColumnNames: ["applicationId", "id"],
    },
    {
      name: "task_tag_tag_fkey",
      target: "Tag",
      columnNames: ["applicationId", "tagId"],
      referencedColumnNames: ["applicationId", "id"],
    },
  ],
});
