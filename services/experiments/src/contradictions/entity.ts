import { EntitySchema } from "typeorm";

export interface ContradictionRow {
  applicationId: string;
  id: string;
  orgId: string;
  quickstartId: string;
  documentTestId: string;
  documentAId: string;
  documentBId: string;
  reason: string;
  passageA: string;
  passageB: string;
  resolved: boolean;
  assignedTo: string | null;
  createdAt: Date;
  modifiedAt: Date;
}

export const ContradictionEntity = new EntitySchema<ContradictionRow>({
  name: "Contradiction",
  tableName: "contradiction",
  schema: "experiments",
  columns: {
    applicationId: {
      type: "uuid",
      name: "application_id",
      primary: true,
      primaryKeyConstraintName: "contradiction_pkey",
    },
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "contradiction_pkey" },
    orgId: { type: "text", name: "org_id" },
    quickstartId: { type: "uuid", name: "quickstart_id" },
    documentTestId: { type: "uuid", name: "document_test_id" },
    documentAId: { type: "uuid", name: "document_a_id" },
    documentBId: { type: "uuid", name: "document_b_id" },
    reason: { type: "text" },
    passageA: { type: "text", name: "passage_a" },
    passageB: { type: "text", name: "passage_b" },
    resolved: { type: "boolean", default: false },
    assignedTo: { type: "text", name: "assigned_to", nullable: true },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    modifiedAt: { type: "timestamptz", name: "modified_at", precision: 3 },
  },
  indices: [{ name: "contradiction_created", columns: ["applicationId", "quickstartId", "createdAt", "id"] }],
  foreignKeys: [
    {
      name: "contradiction_quickstart_fkey",
      target: "Quickstart",
      columnNames: ["applicationId", "quickstartId"],
      referencedColumnNames: ["applicationId", "id"],
    },
  ],
});
