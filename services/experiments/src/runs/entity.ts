import { EntitySchema } from "typeorm";

export type RunTypeName = "MANUAL" | "SCHEDULED" | "EXPERIMENT" | "MONITORING";
export type ResultStatusName = "PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED";

export interface RunRow {
  applicationId: string;
  id: string;
  orgId: string;
  type: RunTypeName;
  status: ResultStatusName;
  title: string | null;
  createdAt: Date;
  modifiedAt: Date;
}

export const RunEntity = new EntitySchema<RunRow>({
  name: "Run",
  tableName: "run",
  schema: "experiments",
  columns: {
    applicationId: { type: "uuid", name: "application_id", primary: true, primaryKeyConstraintName: "run_pkey" },
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "run_pkey" },
    orgId: { type: "text", name: "org_id" },
    type: { type: "text" },
    status: { type: "text" },
    title: { type: "text", nullable: true },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    modifiedAt: { type: "timestamptz", name: "modified_at", precision: 3 },
  },
  checks: [
    { name: "run_type_check", expression: "type IN ('MANUAL', 'SCHEDULED', 'EXPERIMENT', 'MONITORING')" },
    { name: "run_status_check", expression: "status IN ('PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED')" },
  ],
  indices: [{ name: "run_created", columns: ["applicationId", "createdAt", "id"] }],
});
