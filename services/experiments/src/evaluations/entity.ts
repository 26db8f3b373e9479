import { EntitySchema } from "typeorm";
import type { ResultStatusName } from "../runs/index.ts";

export type DefinitionTypeName = "NATURALNESS" | "STYLE" | "RECALL" | "FACT" | "CUSTOM" | "OUTPUT_MATCH";

/** What one definition made of a test. Partitioned by month of `createdAt`, which is its test's. */
export interface EvaluationRow {
  applicationId: string;
  id: string;
  createdAt: Date;
  /** The score in millionths: a bigint, which pg hands over as text. */
  scoreMicro: string | null;
  testId: string;
  runId: string;
  taskId: string;
  topicId: string | null;
  definitionId: string;
  passed: boolean | null;
  orgId: string;
  /** The definition's type when the evaluation was recorded. */
  definitionType: DefinitionTypeName;
  status: ResultStatusName;
}

const key = { primary: true, primaryKeyConstraintName: "evaluation_pkey" } as const;

export const EvaluationEntity = new EntitySchema<EvaluationRow>({
  name: "Evaluation",
  tableName: "evaluation",
  schema: "experiments",
  columns: {
    applicationId: { type: "uuid", name: "application_id", ...key },
    id: { type: "uuid", ...key },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3, ...key },
    scoreMicro: { type: "bigint", name: "score_micro", nullable: true },
    testId: { type: "uuid", name: "test_id" },
    runId: { type: "uuid", name: "run_id" },
    taskId: { type: "uuid", name: "task_id" },
    topicId: { type: "uuid", name: "topic_id", nullable: true },
    definitionId: { type: "uuid", name: "definition_id" },
    passed: { type: "boolean", nullable: true },
    orgId: { type: "text", name: "org_id" },
    definitionType: { type: "text", name: "definition_type" },
    status: { type: "text" },
  },
  checks: [
    {
      name: "evaluation_definition_type_check",
      expression: "definition_type IN ('NATURALNESS', 'STYLE', 'RECALL', 'FACT', 'CUSTOM', 'OUTPUT_MATCH')",
    },
    { name: "evaluation_status_check", expression: "status IN ('PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED')" },
  ],
  indices: [
    { name: "evaluation_id", columns: ["applicationId", "id"] },
    { name: "evaluation_test", columns: ["applicationId", "testId"] },
  ],
});
