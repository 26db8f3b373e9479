import { EntitySchema } from "typeorm";

/** A user; `user` alone is a reserved word in SQL. */
export interface AppUserRow {
  orgId: string;
  id: string;
  name: string;
  email: string | null;
  image: string | null;
  createdAt: Date;
  modifiedAt: Date;
}

export const AppUserEntity = new EntitySchema<AppUserRow>({
  name: "AppUser",
  tableName: "app_user",
  schema: "identity",
  columns: {
    orgId: { type: "text", name: "org_id", primary: true, primaryKeyConstraintName: "app_user_pkey" },
    id: { type: "text", primary: true, primaryKeyConstraintName: "app_user_pkey" },
    name: { type: "text" },
    email: { type: "text", nullable: true },
    image: { type: "text", nullable: true },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    modifiedAt: { type: "timestamptz", name: "modified_at", precision: 3 },
  },
  indices: [{ name: "app_user_created", columns: ["orgId", "createdAt", "id"] }],
  foreignKeys: [
    {
      name: "app_user_organisation_fkey",
      target: "Organisation",
      columnNames: ["orgId"],
      referencedColumnNames: ["id"],
    },
  ],
});
