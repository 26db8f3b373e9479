// Sums over results. Counts and sums are bigint and numeric, which pg hands over as text.

import { EntitySchema } from "typeorm";
import type { ResultStatusName, RunTypeName } from "../runs/index.ts";

/** Tests of a UTC day that are alike in topic, run type and status. A missing topic is the all-zero UUID. */
export interface TestDayRow {
  applicationId: string;
  day: string;
  topicId: string;
  runType: RunTypeName;
  status: ResultStatusName;
  orgId: string;
  rows: string;
  /** Those of which it is known whether they passed, and those that did. */
  passedRows: string;
  passedTrue: string;
  scoreRows: string;
  scoreSum: string;
  scoreMin: string | null;
  scoreMax: string | null;
  durationRows: string;
  durationSum: string;
  durationMin: number | null;
  durationMax: number | null;
}

const testDayKey = { primary: true, primaryKeyConstraintName: "test_day_pkey" } as const;

const sums = {
  orgId: { type: "text", name: "org_id" },
  rows: { type: "bigint" },
  passedRows: { type: "bigint", name: "passed_rows" },
  passedTrue: { type: "bigint", name: "passed_true" },
  scoreRows: { type: "bigint", name: "score_rows" },
  scoreSum: { type: "numeric", name: "score_sum" },
  scoreMin: { type: "bigint", name: "score_min", nullable: true },
  scoreMax: { type: "bigint", name: "score_max", nullable: true },
} as const;

export const TestDayEntity = new EntitySchema<TestDayRow>({
  name: "TestDay",
  tableName: "test_day",
  schema: "experiments",
  columns: {
    applicationId: { type: "uuid", name: "application_id", ...testDayKey },
    day: { type: "date", ...testDayKey },
    topicId: { type: "uuid", name: "topic_id", ...testDayKey },
    runType: { type: "text", name: "run_type", ...testDayKey },
    status: { type: "text", ...testDayKey },
    ...sums,
    durationRows: { type: "bigint", name: "duration_rows" },
    durationSum: { type: "numeric", name: "duration_sum" },
    durationMin: { type: "integer", name: "duration_min", nullable: true },
    durationMax: { type: "integer", name: "duration_max", nullable: true },
  },
});

/** Evaluations of a UTC day that are alike in topic, definition and status. A missing topic is the all-zero UUID. */
export interface EvaluationDayRow
  extends Pick<
    TestDayRow,
    "applicationId" | "day" | "topicId" | "status" | "orgId" | "rows" | "passedRows" | "passedTrue"
  > {
  definitionId: string;
  definitionType: string;
  scoreRows: string;
  scoreSum: string;
  scoreMin: string | null;
  scoreMax: string | null;
}

const evaluationDayKey = { primary: true, primaryKeyConstraintName: "evaluation_day_pkey" } as const;

export const EvaluationDayEntity = new EntitySchema<EvaluationDayRow>({
  name: "EvaluationDay",
  tableName: "evaluation_day",
  schema: "experiments",
  columns: {
    applicationId: { type: "uuid", name: "application_id", ...evaluationDayKey },
    day: { type: "date", ...evaluationDayKey },
    topicId: { type: "uuid", name: "topic_id", ...evaluationDayKey },
    definitionId: { type: "uuid", name: "definition_id", ...evaluationDayKey },
    definitionType: { type: "text", name: "definition_type", ...evaluationDayKey },
    status: { type: "text", ...evaluationDayKey },
    ...sums,
  },
});

/** All tests of a task: its pass rate, and when it was tested last. */
export interface TaskStatRow {
  applicationId: string;
  taskId: string;
  orgId: string;
  tests: string;
  passedRows: string;
  passedTrue: string;
  lastTestAt: Date;
}

const taskStatKey = { primary: true, primaryKeyConstraintName: "task_stat_pkey" } as const;

export const TaskStatEntity = new EntitySchema<TaskStatRow>({
  name: "TaskStat",
  tableName: "task_stat",
  schema: "experiments",
  columns: {
    applicationId: { type: "uuid", name: "application_id", ...taskStatKey },
    taskId: { type: "uuid", name: "task_id", ...taskStatKey },
    orgId: { type: "text", name: "org_id" },
    tests: { type: "bigint" },
    passedRows: { type: "bigint", name: "passed_rows" },
    passedTrue: { type: "bigint", name: "passed_true" },
    lastTestAt: { type: "timestamptz", name: "last_test_at", precision: 3 },
  },
});
