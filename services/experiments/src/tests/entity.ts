import { EntitySchema } from "typeorm";
import type { ResultStatusName, RunTypeName } from "../runs/index.ts";

/** A task that was put to the application once. Partitioned by month of `createdAt`. */
export interface TestRow {
  applicationId: string;
  id: string;
  createdAt: Date;
  /** The score in millionths: a bigint, which pg hands over as text. */
  scoreMicro: string | null;
  taskId: string;
  /** The task's topic when the test was recorded. */
  topicId: string | null;
  runId: string;
  durationMs: number | null;
  passed: boolean | null;
  orgId: string;
  runType: RunTypeName;
  status: ResultStatusName;
  /** Definitions of the test's evaluations, each once: what lists filter by. */
  definitionIds: string[];
}

const key = { primary: true, primaryKeyConstraintName: "test_pkey" } as const;

export const TestEntity = new EntitySchema<TestRow>({
  name: "Test",
  tableName: "test",
  schema: "experiments",
  columns: {
    applicationId: { type: "uuid", name: "application_id", ...key },
    id: { type: "uuid", ...key },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3, ...key },
    scoreMicro: { type: "bigint", name: "score_micro", nullable: true },
    taskId: { type: "uuid", name: "task_id" },
    topicId: { type: "uuid", name: "topic_id", nullable: true },
    runId: { type: "uuid", name: "run_id" },
    durationMs: { type: "integer", name: "duration_ms", nullable: true },
    passed: { type: "boolean", nullable: true },
    orgId: { type: "text", name: "org_id" },
    runType: { type: "text", name: "run_type" },
    status: { type: "text" },
    definitionIds: { type: "uuid", name: "definition_ids", array: true },
  },
  checks: [
    { name: "test_run_type_check", expression: "run_type IN ('MANUAL', 'SCHEDULED', 'EXPERIMENT', 'MONITORING')" },
    { name: "test_status_check", expression: "status IN ('PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED')" },
  ],
  indices: [
    { name: "test_id", columns: ["applicationId", "id"] },
    { name: "test_run", columns: ["applicationId", "runId", "createdAt"] },
    { name: "test_task", columns: ["applicationId", "taskId", "createdAt"] },
  ],
});
