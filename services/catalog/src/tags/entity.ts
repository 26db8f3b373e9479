import { foreignKey, nullable, oneOf, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";
import { rowVersions } from "@ems/kit/db/version";

export type TagRow = Row<typeof TagEntity>;

/** Unique index: two active tags of one application must not have the same name. */
export const tagNameKey = "tag_active_name";

export const TagEntity = table(
  "catalog.tag",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    name: text,
    color: text,
    description: nullable(text),
    status: oneOf("ACTIVE", "ARCHIVED"),
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    indices: [
      { name: tagNameKey, columns: ["applicationId", "name"], unique: true, where: "status = 'ACTIVE'" },
      { name: "tag_created", columns: ["applicationId", "createdAt", "id"] },
    ],
  },
);

export const tagVersions = rowVersions(TagEntity);

export const TaskTagEntity = table(
  "catalog.task_tag",
  { applicationId: uuid, taskId: uuid, tagId: uuid },
  {
    primaryKey: ["applicationId", "taskId", "tagId"],
    indices: [{ name: "task_tag_tag", columns: ["applicationId", "tagId"] }],
    foreignKeys: [
      foreignKey("task_tag_task_fkey", ["applicationId", "taskId"], "task"),
      foreignKey("task_tag_tag_fkey", ["applicationId", "tagId"], "tag"),
    ],
  },
);
