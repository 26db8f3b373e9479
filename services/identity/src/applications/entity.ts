import { EntitySchema } from "typeorm";

export interface ApplicationRow {
  orgId: string;
  id: string;
  title: string;
  slug: string;
  description: string;
  context: string;
  language: string | null;
  type: "CHATBOT" | "AGENT";
  environment: "DEV" | "PROD";
  humanAnnotationEnabled: boolean;
  createdAt: Date;
  modifiedAt: Date;
}

export const ApplicationEntity = new EntitySchema<ApplicationRow>({
  name: "Application",
  tableName: "application",
  schema: "identity",
  columns: {
    orgId: { type: "text", name: "org_id", primary: true, primaryKeyConstraintName: "application_pkey" },
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "application_pkey" },
    title: { type: "text" },
    slug: { type: "text" },
    description: { type: "text" },
    context: { type: "text" },
    language: { type: "text", nullable: true },
    type: { type: "text" },
    environment: { type: "text" },
    humanAnnotationEnabled: { type: "boolean", name: "human_annotation_enabled" },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    modifiedAt: { type: "timestamptz", name: "modified_at", precision: 3 },
  },
  uniques: [{ name: "application_slug_key", columns: ["orgId", "slug"] }],
  indices: [{ name: "application_created", columns: ["orgId", "createdAt", "id"] }],
  foreignKeys: [
    {
      name: "application_organisation_fkey",
      target: "Organisation",
      columnNames: ["orgId"],
      referencedColumnNames: ["id"],
    },
  ],
});
