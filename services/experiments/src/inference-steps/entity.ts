import { EntitySchema } from "typeorm";

export interface InferenceStepRow {
  applicationId: string;
  id: string;
  orgId: string;
  type: "LLM" | "RETRIEVER";
  externalId: string | null;
  title: string;
  description: string;
  createdAt: Date;
  modifiedAt: Date;
}

export const InferenceStepEntity = new EntitySchema<InferenceStepRow>({
  name: "InferenceStep",
  tableName: "inference_step",
  schema: "experiments",
  columns: {
    applicationId: {
      type: "uuid",
      name: "application_id",
      primary: true,
      primaryKeyConstraintName: "inference_step_pkey",
    },
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "inference_step_pkey" },
    orgId: { type: "text", name: "org_id" },
    type: { type: "text" },
    externalId: { type: "text", name: "external_id", nullable: true },
    title: { type: "text" },
    description: { type: "text" },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    modifiedAt: { type: "timestamptz", name: "modified_at", precision: 3 },
  },
  checks: [{ name: "inference_step_type_check", expression: "type IN ('LLM', 'RETRIEVER')" }],
  uniques: [{ name: "inference_step_external_id_key", columns: ["applicationId", "externalId"] }],
  indices: [{ name: "inference_step_created", columns: ["applicationId", "createdAt", "id"] }],
});
