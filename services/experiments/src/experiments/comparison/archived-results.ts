// ClickHouse statements for the results of compared runs. Also adds archived results to those in PostgreSQL.

import type { Stores } from "@ems/archive";
import type { Call } from "@ems/kit/rpc/call";
import { evaluationScoreSql, quarterMicrosSql, testScoreSql } from "@ems/proto/scales";
import { evaluationCauseSql, evaluationOutcomeSql, isErroredSql, testOutcomeSql } from "../../runs/outcomes/index.ts";
import { type EvaluationResultRow, knownCost, type Results, type TestResultRow, type UsageRow } from "./rows.ts";

const sums = (outcome: string, cause: string, isScored: string, score: string) => `
  toFloat64(countIf(ifNull(${outcome} IN ('PASSED', 'FAILED'), 0))) AS tests,
  toFloat64(countIf(ifNull(${outcome} = 'PASSED', 0))) AS passed, toFloat64(countIf(ifNull(${outcome} = 'ERRORED', 0))) AS errored,
  toFloat64(countIf(ifNull(${outcome} = 'ERRORED' AND ${cause} = 'APPLICATION', 0))) AS "erroredByApplication",
  toFloat64(countIf(ifNull(${outcome} = 'ERRORED' AND ${cause} = 'CONFIGURATION', 0))) AS "erroredByConfiguration",
  toFloat64(countIf(ifNull(${outcome} = 'NONE', 0))) AS none, toFloat64(countIf(isNull(${outcome}))) AS open,
  toFloat64(countIf(${isScored})) AS "scoreCount",
  toFloat64(ifNull(sumIf(ifNull(${score}, 0), ${isScored}), 0)) / 4e6 AS "scoreSum"`;
const ofRuns = (row: string) => `${row}.run_id IN {runs:Array(UUID)}`;

// Tests archived before the column `error_cause` have their cause in the failed evaluations that are archived with them.
const isScoredTest = `(o.status = 'COMPLETED' AND isNull(o.error_cause) AND isNotNull(${testScoreSql("o")}))`;
const outcome = testOutcomeSql("o");
const withCauses = `(SELECT t.* REPLACE (coalesce(t.error_cause, if(t.status = 'FAILED', 'APPLICATION', f.cause)) AS error_cause)
  FROM test t LEFT JOIN (SELECT e.test_id AS id, toNullable(min(${evaluationCauseSql("e")})) AS cause FROM evaluation e
    WHERE ${ofRuns("e")} AND e.replaced_by IS NULL AND e.status = 'FAILED' GROUP BY e.test_id) f ON f.id = t.id
  WHERE ${ofRuns("t")})`;
const tests = `SELECT toString(o.run_id) AS "runId", toString(o.task_id) AS "taskId",
    ${sums(outcome, "o.error_cause", isScoredTest, "4 * o.score_micro")},
    nullIf(minIf(toString(o.id), ifNull(${outcome} = 'PASSED', 0)), '') AS "passedTestId",
    nullIf(minIf(toString(o.id), ifNull(${outcome} = 'FAILED', 0)), '') AS "failedTestId"
  FROM ${withCauses} o GROUP BY o.run_id, o.task_id`;

const score = quarterMicrosSql("e");
const isScored = `(e.status = 'COMPLETED' AND isNotNull(${evaluationScoreSql("e")}))`;
const isOfJudged = `e.test_id NOT IN (SELECT o.id FROM ${withCauses} o WHERE ${isErroredSql("o")})`;
const evaluations = `SELECT toString(e.run_id) AS "runId", toString(e.task_id) AS "taskId", toString(e.definition_id) AS "definitionId",
    toString(min(e.definition_type)) AS "definitionType",
    ${sums(evaluationOutcomeSql("e"), evaluationCauseSql("e"), isScored, score)},
    toFloat64(countIf(${isScored} AND ${isOfJudged})) AS "judgedScoreCount",
    toFloat64(ifNull(sumIf(ifNull(${score}, 0), ${isScored} AND ${isOfJudged}), 0)) / 4e6 AS "judgedScoreSum",
    toFloat64(sumOrNull(e.cost_micro)) / 1e6 AS "judgeCost", min(e.judge_version) AS "judgeVersion"
  FROM evaluation e WHERE ${ofRuns("e")} AND e.replaced_by IS NULL GROUP BY e.run_id, e.definition_id, e.task_id`;

const usage = `SELECT toString(t.run_id) AS "runId", toString(t.task_id) AS "taskId", toFloat64(count()) AS tests,
    sumOrNull(${knownCost}) AS cost,
    toFloat64(count(${knownCost})) AS "pricedTests",
    toFloat64(sum(t.trace_input_tokens)) AS "inputTokens", toFloat64(sum(t.trace_output_tokens)) AS "outputTokens", sum(t.trace_latency_ms) AS "latencyMs"
  FROM test t WHERE ${ofRuns("t")} AND t.trace_input_tokens IS NOT NULL GROUP BY t.run_id, t.task_id`;

/** Reads the archived results of the runs. */
export async function readArchivedResults(stores: Stores, call: Call, runIds: readonly string[]): Promise<Results> {
  const { archivedRanges } = await stores.read(call, ["results"], []);
  const [test, evaluation] = [archivedRanges.results, archivedRanges.results];
  const parameters = { runs: runIds };
  return Promise.all([
    stores.query<TestResultRow>(call, { test, evaluation }, tests, parameters),
    stores.query<EvaluationResultRow>(call, { test, evaluation }, evaluations, parameters),
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
