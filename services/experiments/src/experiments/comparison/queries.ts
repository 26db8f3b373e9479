// Reads the results of two runs by task, in three statements for any number of tests. PostgreSQL adds them up.

import type { Stores } from "@ems/archive";
import type { Statement } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import { evaluationScoreSql, quarterMicrosSql, testScoreSql } from "@ems/proto/scales";
import { evaluationCauseSql, evaluationOutcomeSql, isErroredSql, testOutcomeSql } from "../../runs/outcomes/index.ts";
import { usageOfTests } from "../../traces/index.ts";
import { addResults, readArchivedResults } from "./archived-results.ts";
import { knownCost, type Results, type UsageRow } from "./rows.ts";

// Scores are summed as integers (quarters of millionths) in a fixed order, so that sums never depend on row order.
const sums = (outcome: string, cause: string, isScored: string, score: string) => `
  count(*) FILTER (WHERE ${outcome} IN ('PASSED', 'FAILED'))::int AS tests,
  count(*) FILTER (WHERE ${outcome} = 'PASSED')::int AS passed, count(*) FILTER (WHERE ${outcome} = 'ERRORED')::int AS errored,
  count(*) FILTER (WHERE ${outcome} = 'ERRORED' AND ${cause} = 'APPLICATION')::int AS "erroredByApplication",
  count(*) FILTER (WHERE ${outcome} = 'ERRORED' AND ${cause} = 'CONFIGURATION')::int AS "erroredByConfiguration",
  count(*) FILTER (WHERE ${outcome} = 'NONE')::int AS none, count(*) FILTER (WHERE ${outcome} IS NULL)::int AS open,
  count(*) FILTER (WHERE ${isScored})::int AS "scoreCount",
  coalesce(sum(${score}) FILTER (WHERE ${isScored}), 0)::float8 / 4e6 AS "scoreSum"`;

const ofRuns = "t.application_id = $1 AND t.run_id = ANY ($2::uuid[])";

const isScoredTest = `t.status = 'COMPLETED' AND t.error_cause IS NULL AND ${testScoreSql("t")} IS NOT NULL`;
const testResults = `SELECT t.run_id AS "runId", t.task_id AS "taskId",
    ${sums("o.outcome", "t.error_cause", isScoredTest, "4 * t.score_micro")},
    min(t.id::text) FILTER (WHERE o.outcome = 'PASSED') AS "passedTestId",
    min(t.id::text) FILTER (WHERE o.outcome = 'FAILED') AS "failedTestId"
  FROM experiments.test t, LATERAL (SELECT ${testOutcomeSql("t")} AS outcome) o WHERE ${ofRuns} GROUP BY t.run_id, t.task_id ORDER BY t.run_id, t.task_id`;

const score = quarterMicrosSql("e");
const isScored = `e.status = 'COMPLETED' AND ${evaluationScoreSql("e")} IS NOT NULL`;
const evaluationResults = `SELECT t.run_id AS "runId", e.task_id AS "taskId", e.definition_id AS "definitionId",
    min(e.definition_type) AS "definitionType",
    ${sums("o.outcome", evaluationCauseSql("e"), isScored, score)},
    count(*) FILTER (WHERE ${isScored} AND NOT ${isErroredSql("t")})::int AS "judgedScoreCount",
    coalesce(sum(${score}) FILTER (WHERE ${isScored} AND NOT ${isErroredSql("t")}), 0)::float8 / 4e6 AS "judgedScoreSum",
    sum(e.cost_micro)::float8 / 1e6 AS "judgeCost", min(e.judge_version) AS "judgeVersion"
  FROM experiments.test t JOIN experiments.evaluation e
    ON e.application_id = t.application_id AND e.test_id = t.id AND e.created_at = t.created_at,
    LATERAL (SELECT ${evaluationOutcomeSql("e")} AS outcome) o
  WHERE ${ofRuns} AND e.replaced_by IS NULL GROUP BY t.run_id, e.definition_id, e.task_id
  ORDER BY t.run_id, e.definition_id, e.task_id`;

const usage = `SELECT t.run_id AS "runId", t.task_id AS "taskId", count(*)::int AS tests, sum(${knownCost} ORDER BY t.id) AS cost,
    count(${knownCost})::int AS "pricedTests",
    sum(t.trace_input_tokens)::float8 AS "inputTokens", sum(t.trace_output_tokens)::float8 AS "outputTokens",
    sum(t.trace_latency_ms ORDER BY t.id) AS "latencyMs"
  FROM experiments.test t WHERE ${ofRuns} AND t.trace_input_tokens IS NOT NULL
  GROUP BY t.run_id, t.task_id ORDER BY t.run_id, t.task_id`;

// Selects tests without copied usage: those without a trace, and those closed by a version that did not copy it.
const withoutUsage = `SELECT t.id, t.run_id AS "runId", t.task_id AS "taskId", t.trace_id AS "traceId" FROM experiments.test t
  WHERE ${ofRuns} AND t.trace_input_tokens IS NULL ORDER BY t.id`;

// Selects runs with archived tests: `run_stat` counts all tests of a run, including archived ones.
const incompleteRuns = `SELECT s.run_id AS id FROM experiments.run_stat s WHERE s.application_id = $1 AND s.run_id = ANY ($2::uuid[])
    AND s.tests > (SELECT count(*) FROM experiments.test t WHERE t.application_id = $1 AND t.run_id = s.run_id)`;

/**
 * Returns the rows of `before`, then the TestResultRow, EvaluationResultRow and UsageRow from PostgreSQL and archive.
 */
export async function readResults(
  stores: Stores,
  call: Call,
  runIds: readonly string[],
  before: readonly Statement[] = [],
): Promise<[others: object[][], results: Results]> {
  const values = [call.tenant.applicationId, runIds];
  const statements = [
    { name: "compared-tests", text: testResults, values },
    { name: "compared-evaluations", text: evaluationResults, values },
    { name: "compared-usage", text: usage, values },
    { name: "compared-without-usage", text: withoutUsage, values },
    ...(stores.hasArchive ? [{ name: "incomplete-runs", text: incompleteRuns, values }] : []),
  ];
  const found = await stores.database.readAll(call, [...before, ...statements]);
  const rows = found.slice(before.length);
  // Safe cast: the row types match the statements' select lists.
  const copied = rows.slice(0, 3) as Results;
  const own = addResults(copied, [[], [], await usageElsewhere(stores, call, rows[3] as TestWithoutUsage[])]);
  const ids = (rows[4] ?? []).map(({ id }) => String(id));
  const results = ids.length === 0 ? own : addResults(own, await readArchivedResults(stores, call, ids));
  return [found.slice(0, before.length), results];
}

interface TestWithoutUsage {
  readonly id: string;
  readonly runId: string;
  readonly taskId: string;
  readonly traceId: string | null;
}

async function usageElsewhere(stores: Stores, call: Call, tests: readonly TestWithoutUsage[]): Promise<UsageRow[]> {
  if (tests.length === 0) return [];
  const byId = new Map(tests.map((test) => [test.id, test]));
  const found = await usageOfTests(stores.database, call, tests);
  return found.flatMap(({ testId, ...usage }) => {
    const test = byId.get(testId);
    return test === undefined
      ? []
      : { runId: test.runId, taskId: test.taskId, tests: 1, pricedTests: usage.cost === null ? 0 : 1, ...usage };
  });
}
