// ClickHouse statements for the results of compared runs. Also adds archived results to those in PostgreSQL.

import type { Stores } from "@ems/archive";
import type { Call } from "@ems/kit/rpc/call";
import { evaluationScoreSql, testScoreSql } from "@ems/proto/scales";
import type { EvaluationResultRow, Results, TestResultRow, UsageRow } from "./rows.ts";

const isCounted = (row: string) =>
  `(${row}.status = 'FAILED' OR (${row}.status = 'COMPLETED' AND isNotNull(${row}.passed)))`;
const isPassed = (row: string) => `(${row}.status = 'COMPLETED' AND ifNull(${row}.passed, false))`;
const isScored = (row: string, onScale: string) => `(${row}.status = 'COMPLETED' AND isNotNull(${onScale}))`;
const sums = (row: string, score: string, onScale: string) => `
  toFloat64(countIf(${isCounted(row)})) AS tests, toFloat64(countIf(${isPassed(row)})) AS passed,
  toFloat64(countIf(${row}.status = 'FAILED')) AS errored, toFloat64(countIf(NOT ${isCounted(row)})) AS uncounted,
  toFloat64(countIf(${isScored(row, onScale)})) AS "scoreCount",
  toFloat64(ifNull(sumIf(ifNull(${score}, 0), ${isScored(row, onScale)}), 0)) / 4e6 AS "scoreSum"`;
const ofRuns = (row: string) => `${row}.run_id IN {runs:Array(UUID)}`;

const tests = `SELECT toString(t.run_id) AS "runId", toString(t.task_id) AS "taskId", ${sums("t", "4 * t.score_micro", testScoreSql("t"))},
    nullIf(minIf(toString(t.id), ${isPassed("t")}), '') AS "passedTestId",
    nullIf(minIf(toString(t.id), ${isCounted("t")} AND NOT ${isPassed("t")}), '') AS "failedTestId"
  FROM test t WHERE ${ofRuns("t")} GROUP BY t.run_id, t.task_id`;

const score = `if(e.definition_type IN ('NATURALNESS', 'STYLE'), e.score_micro - 1000000, 4 * e.score_micro)`;
const evaluations = `SELECT toString(e.run_id) AS "runId", toString(e.task_id) AS "taskId", toString(e.definition_id) AS "definitionId",
    toString(min(e.definition_type)) AS "definitionType", ${sums("e", score, evaluationScoreSql("e"))},
    toFloat64(sumOrNull(e.cost_micro)) / 1e6 AS "judgeCost"
  FROM evaluation e WHERE ${ofRuns("e")} AND e.replaced_by IS NULL GROUP BY e.run_id, e.definition_id, e.task_id`;

const usage = `SELECT toString(t.run_id) AS "runId", toString(t.task_id) AS "taskId", toFloat64(count()) AS tests,
    sum(t.trace_cost) AS cost, toFloat64(sum(t.trace_input_tokens)) AS "inputTokens",
    toFloat64(sum(t.trace_output_tokens)) AS "outputTokens", sum(t.trace_latency_ms) AS "latencyMs"
  FROM test t WHERE ${ofRuns("t")} AND t.trace_cost IS NOT NULL GROUP BY t.run_id, t.task_id`;

/** Reads the archived results of the runs. */
export async function readArchivedResults(stores: Stores, call: Call, runIds: readonly string[]): Promise<Results> {
  const { archivedRanges } = await stores.read(call, ["results"], []);
  const [test, evaluation] = [archivedRanges.results, archivedRanges.results];
  const parameters = { runs: runIds };
  return Promise.all([
    stores.query<TestResultRow>(call, { test }, tests, parameters),
    stores.query<EvaluationResultRow>(call, { evaluation }, evaluations, parameters),
    stores.query<UsageRow>(call, { test }, usage, parameters),
  ]);
}

/** Merges the rows from PostgreSQL and the archive; rows with the same key are added up. */
export function addResults(own: Results, archived: Results): Results {
  return [
    added(own[0], archived[0], ({ runId, taskId }) => [runId, taskId]),
    added(own[1], archived[1], ({ runId, definitionId, taskId }) => [runId, definitionId, taskId]),
    added(own[2], archived[2], ({ runId, taskId }) => [runId, taskId]),
  ];
}

function added<Row extends object>(own: readonly Row[], more: readonly Row[], getKey: (row: Row) => string[]): Row[] {
  const byKey = Map.groupBy([...own, ...more], (row) => getKey(row).join());
  const keys = [...byKey.keys()].toSorted((a, b) => (a < b ? -1 : 1));
  return keys.flatMap((key) => byKey.get(key)?.reduce(sum) ?? []);
}

/** Merges two rows with the same key: adds numbers, and keeps the smaller of two texts, as `min` does in SQL. */
function sum<Row extends object>(a: Row, b: Row): Row {
  const fields = Object.entries(a).map(([name, left]) => {
    const other: unknown = b[name as keyof Row];
    if (left === null || other === null) return [name, left ?? other];
    if (typeof left === "number" && typeof other === "number") return [name, left + other];
    return [name, String(left) < String(other) ? left : other];
  });
  // Safe cast: the entries are the fields of `a`.
  return Object.fromEntries(fields) as Row;
}
