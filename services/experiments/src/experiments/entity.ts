import { EntitySchema } from "typeorm";
import type { ExperimentStatusName } from "./status.ts";

export interface ExperimentRow {
  applicationId: string;
  id: string;
  orgId: string;
  title: string;
  description: string;
  status: ExperimentStatusName;
  inferenceStepIds: string[];
  taskIds: string[];
  assignee: string | null;
  createdAt: Date;
  modifiedAt: Date;
}

export const ExperimentEntity = new EntitySchema<ExperimentRow>({
  name: "Experiment",
  tableName: "experiment",
  schema: "experiments",
  columns: {
    applicationId: { type: "uuid", name: "application_id", primary: true, primaryKeyConstraintName: "experiment_pkey" },
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "experiment_pkey" },
    orgId: { type: "text", name: "org_id" },
    title: { type: "text" },
    description: { type: "text" },
    status: { type: "text" },
    inferenceStepIds: { type: "uuid", name: "inference_step_ids", array: true },
    taskIds: { type: "uuid", name: "task_ids", array: true },
    assignee: { type: "text", nullable: true },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    modifiedAt: { type: "timestamptz", name: "modified_at", precision: 3 },
  },
  checks: [
    {
      name: "experiment_status_check",
      expression:
        "status IN ('DRAFT', 'BASELINE_PENDING', 'BASELINE_RUNNING', 'BASELINE_COMPLETED', 'RUNNING', 'COMPLETED', 'ARCHIVED')",
    },
  ],
  indices: [{ name: "experiment_created", columns: ["applicationId", "createdAt", "id"] }],
});
