import { EntitySchema } from "typeorm";

export interface TagRow {
  applicationId: string;
  id: string;
  orgId: string;
  name: string;
  color: string;
  description: string;
  status: "ACTIVE" | "ARCHIVED";
  createdAt: Date;
  modifiedAt: Date;
}

/** No two active tags of an application have the same name. */
export const tagNameKey = "tag_active_name";

export const TagEntity = new EntitySchema<TagRow>({
  name: "Tag",
  tableName: "tag",
  schema: "catalog",
  columns: {
    applicationId: { type: "uuid", name: "application_id", primary: true, primaryKeyConstraintName: "tag_pkey" },
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "tag_pkey" },
    orgId: { type: "text", name: "org_id" },
    name: { type: "text" },
    color: { type: "text" },
    description: { type: "text" },
    status: { type: "text" },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    modifiedAt: { type: "timestamptz", name: "modified_at", precision: 3 },
  },
  checks: [{ name: "tag_status_check", expression: "status IN ('ACTIVE', 'ARCHIVED')" }],
  indices: [
    { name: tagNameKey, columns: ["applicationId", "name"], unique: true, where: "status = 'ACTIVE'" },
    { name: "tag_created", columns: ["applicationId", "createdAt", "id"] },
  ],
});
