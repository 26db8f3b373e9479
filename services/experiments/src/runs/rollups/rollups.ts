// Definitions of the rollups: keys, sums and bounds. Pure.

import { evaluationScoreSql, testScoreSql, toQuarterMicros } from "@ems/proto/scales";
import type { EvaluationRow } from "@ems/results";
import { hasEnded, isErroredSql, type JudgedTest, type TestErrorCause } from "../outcomes/index.ts";

/** Fields of a test from which rollups are computed. */
export interface SummedTest {
  readonly applicationId: string;
  readonly orgId: string;
  readonly createdAt: Date;
  readonly taskId: string;
  readonly topicId: string | null;
  readonly runId: string;
  readonly runType: string;
  readonly status: JudgedTest["status"];
  /** In millionths. */
  readonly scoreMicro: string | null;
  readonly passed: boolean | null;
  readonly errorCause: TestErrorCause | null;
  readonly durationMs: number | null;
  /** Scores of its current evaluations, each from 0 to 1, in quarters of millionths. */
  readonly evaluationScores: { readonly rows: number; readonly sum: number };
}

/** Fields of a current (not replaced) evaluation from which rollups are computed; `runType` is the type of its run. */
export interface SummedEvaluation
  extends Omit<SummedTest, "durationMs" | "evaluationScores" | "errorCause" | "status"> {
  readonly status: EvaluationRow["status"];
  readonly definitionId: string;
  readonly definitionType: string;
}

export interface Rollup<Result> {
  readonly table: string;
  /** Columns of the key after `application_id`, with their types and values. */
  readonly key: readonly (readonly [column: string, type: string, of: (result: Result) => string])[];
  readonly hasOrganisation: boolean;
  readonly sums: readonly (readonly [column: string, of: (result: Result) => bigint])[];
  /** Values with the columns `<name>_min` and `<name>_max`. */
  readonly bounds: readonly Bound<Result>[];
  /** Column with the latest time; removing a result does not change it. */
  readonly latest?: readonly [column: string, of: (result: Result) => Date];
  /** Table with the rows (`r`), and conditions that join them to the rollup's row (`s`); used to recompute bounds. */
  readonly rows?: { readonly table: string; readonly where: string };
}

interface Bound<Result> {
  readonly name: string;
  readonly of: (result: Result) => bigint | null;
  /** SQL of the value in a row `r`. */
  readonly sql: string;
}

/** Stands for a missing topic in a key. */
const noTopic = "00000000-0000-0000-0000-000000000000";

const day = ["day", "date", ({ createdAt }: { createdAt: Date }) => createdAt.toISOString().slice(0, 10)] as const;
const topic = ["topic_id", "uuid", (result: SummedTest | SummedEvaluation) => result.topicId ?? noTopic] as const;
const task = ["task_id", "uuid", ({ taskId }: { taskId: string }) => taskId] as const;
const run = ["run_id", "uuid", ({ runId }: { runId: string }) => runId] as const;
const status = ["status", "text", (result: { status: string }) => result.status] as const;
const definition = ["definition_id", "uuid", ({ definitionId }: SummedEvaluation) => definitionId] as const;
const definitionType = ["definition_type", "text", (result: SummedEvaluation) => result.definitionType] as const;
const runType = ["run_type", "text", ({ runType }: SummedTest) => runType] as const;
const lastTest = ["last_test_at", ({ createdAt }: SummedTest) => createdAt] as const;
const isOfExperiment = ({ runType }: { readonly runType: string }) => runType === "EXPERIMENT";
const isMonitoring = [
  "is_monitoring",
  "boolean",
  ({ runType }: { runType: string }) => String(runType === "MONITORING"),
] as const;

interface Counted extends Pick<SummedEvaluation, "status" | "passed" | "scoreMicro"> {
  readonly errorCause?: TestErrorCause | null;
}

const count = (is: boolean) => (is ? 1n : 0n);
const micro = (value: string | number | null) => (value === null ? null : BigInt(value));
/** True without the verdict that was due. Such a result counts in no rate and no mean. */
const isErrored = ({ status, errorCause = null }: Counted) => status === "FAILED" || errorCause !== null;
const getVerdict = (result: Counted) => (isErrored(result) ? null : result.passed);
const getScore = (result: Counted) => (isErrored(result) ? null : micro(result.scoreMicro));
/** True if the result is judged. */
const isCounted = (result: Counted) => result.status === "COMPLETED" && getVerdict(result) !== null;
const isPassed = (result: Counted) => result.status === "COMPLETED" && getVerdict(result) === true;
const isScored = (result: Counted) => result.status === "COMPLETED" && getScore(result) !== null;

const quarterScore = ({ definitionType, scoreMicro }: SummedEvaluation): bigint =>
  BigInt(toQuarterMicros(scoreMicro ?? 0, definitionType));

const rows = ["rows", () => 1n] as const;
const passedCounts = [
  ["passed_rows", (result: Counted) => count(getVerdict(result) !== null)],
  ["passed_true", (result: Counted) => count(getVerdict(result) === true)],
] as const;
const scores = [
  ["score_rows", (result: Counted) => count(getScore(result) !== null)],
  ["score_sum", (result: Counted) => getScore(result) ?? 0n],
] as const;
const errored = ["errored", (result: Counted) => count(isErrored(result))] as const;
const evaluationScore: Bound<Counted> = {
  name: "score",
  of: getScore,
  sql: `CASE WHEN r.status <> 'FAILED' THEN ${evaluationScoreSql("r")} END`,
};
const testScore: Bound<Counted> = {
  name: "score",
  of: getScore,
  sql: `CASE WHEN NOT ${isErroredSql("r")} THEN ${testScoreSql("r")} END`,
};

const ofDay = `r.application_id = s.application_id AND r.created_at >= s.day::timestamp AT TIME ZONE 'UTC'
  AND r.created_at < (s.day + 1)::timestamp AT TIME ZONE 'UTC' AND coalesce(r.topic_id, '${noTopic}') = s.topic_id
  AND r.status = s.status`;

const isScoredAndCounted = (result: SummedEvaluation) => isCounted(result) && result.scoreMicro !== null;

/** All transactions change these rollups in this order, which prevents deadlocks. */
export const evaluationRollups: readonly Rollup<SummedEvaluation>[] = [
  {
    table: "evaluation_day",
    key: [day, topic, definition, definitionType, status],
    hasOrganisation: true,
    sums: [rows, ...passedCounts, ...scores],
    bounds: [evaluationScore],
    rows: {
      table: "evaluation",
      where: `${ofDay} AND r.definition_id = s.definition_id AND r.definition_type = s.definition_type
        AND r.replaced_by IS NULL`,
    },
  },
  {
    table: "run_definition",
    key: [run, definition, definitionType],
    hasOrganisation: true,
    sums: [
      ["counted", (result) => count(isCounted(result))],
      ["passed", (result) => count(isPassed(result))],
      errored,
      ["score_rows", (result) => count(isScored(result))],
      ["score_sum", (result) => (isScored(result) ? quarterScore(result) : 0n)],
    ],
    bounds: [],
  },
  {
    table: "task_definition_day",
    key: [task, definition, day, isMonitoring],
    hasOrganisation: false,
    sums: [
      ["evaluations", (result) => count(isCounted(result))],
      ["evaluations_passed", (result) => count(isPassed(result))],
      errored,
      ["scores", (result) => count(isScoredAndCounted(result))],
      ["score_sum", (result) => (isScoredAndCounted(result) ? quarterScore(result) : 0n)],
      ["score_squares", (result) => (isScoredAndCounted(result) ? quarterScore(result) ** 2n : 0n)],
    ],
    bounds: [],
  },
];

/** Rollups of tests; they are changed after `evaluationRollups`. */
export const testRollups: readonly Rollup<SummedTest>[] = [
  {
    table: "run_stat",
    key: [run],
    hasOrganisation: true,
    sums: [
      ["tests", () => 1n],
      ["ended", (result) => count(hasEnded(result))],
      ["counted", (result) => count(isCounted(result))],
      ["passed", (result) => count(isPassed(result))],
      errored,
      ["score_rows", (result) => count(isScored(result))],
      ["score_sum", (result) => (isScored(result) ? (getScore(result) ?? 0n) : 0n)],
      ["evaluation_score_rows", (result) => (isErrored(result) ? 0n : BigInt(result.evaluationScores.rows))],
      ["evaluation_score_sum", (result) => (isErrored(result) ? 0n : BigInt(result.evaluationScores.sum))],
    ],
    bounds: [],
  },
  {
    table: "task_stat",
    key: [task],
    hasOrganisation: true,
    sums: [
      ["tests", () => 1n],
      // Experiments try variants, so that their results are no measure of the application in use.
      ["passed_rows", (result) => count(!isOfExperiment(result) && getVerdict(result) !== null)],
      ["passed_true", (result) => count(!isOfExperiment(result) && getVerdict(result) === true)],
      ["errored", (result) => count(!isOfExperiment(result) && isErrored(result))],
    ],
    bounds: [],
    latest: lastTest,
  },
  {
    table: "task_run_type",
    key: [task, runType],
    hasOrganisation: true,
    sums: [["tests", () => 1n], ...passedCounts, errored],
    bounds: [],
    latest: lastTest,
  },
  {
    table: "task_day",
    key: [task, day, isMonitoring],
    hasOrganisation: false,
    sums: [
      ["tests", (result) => count(isCounted(result))],
      ["tests_passed", (result) => count(isPassed(result))],
      errored,
    ],
    bounds: [],
  },
  {
    table: "test_day",
    key: [day, topic, runType, status],
    hasOrganisation: true,
    sums: [
      rows,
      ...passedCounts,
      errored,
      ...scores,
      ["duration_rows", ({ durationMs }) => count(durationMs !== null)],
      ["duration_sum", ({ durationMs }) => micro(durationMs) ?? 0n],
    ],
    bounds: [testScore, { name: "duration", of: ({ durationMs }) => micro(durationMs), sql: "r.duration_ms" }],
    rows: { table: "test", where: `${ofDay} AND r.run_type = s.run_type` },
  },
];
