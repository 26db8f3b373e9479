import { EntitySchema } from "typeorm";

export interface QuickstartRow {
  applicationId: string;
  id: string;
  orgId: string;
  title: string;
  description: string;
  createdAt: Date;
  modifiedAt: Date;
}

export const QuickstartEntity = new EntitySchema<QuickstartRow>({
  name: "Quickstart",
  tableName: "quickstart",
  schema: "experiments",
  columns: {
    applicationId: { type: "uuid", name: "application_id", primary: true, primaryKeyConstraintName: "quickstart_pkey" },
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "quickstart_pkey" },
    orgId: { type: "text", name: "org_id" },
    title: { type: "text" },
    description: { type: "text" },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    modifiedAt: { type: "timestamptz", name: "modified_at", precision: 3 },
  },
  indices: [{ name: "quickstart_created", columns: ["applicationId", "createdAt", "id"] }],
});
