// The results of two runs by task: three statements, whatever the number of tests. Sums are made in PostgreSQL.

import { clipped, readBeside, type Stores } from "@ems/kit/archive";
import type { Statement } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import type { EvaluationRow } from "../evaluations/index.ts";

/** A run's results of one task, or those of one definition of one task. */
interface ResultRow {
  readonly runId: string;
  readonly taskId: string;
  readonly tests: number;
  readonly passed: number;
  readonly errored: number;
  readonly uncounted: number;
  readonly scoreCount: number;
  /** From 0 to 1. */
  readonly scoreSum: number;
}

export interface TestResultRow extends ResultRow {
  readonly passedTestId: string | null;
  readonly failedTestId: string | null;
}

export interface EvaluationResultRow extends ResultRow, Pick<EvaluationRow, "definitionId" | "definitionType"> {
  /** In US dollars; null where no judge has a cost. */
  readonly judgeCost: number | null;
}

/** What the application used for the tests of a task that have a trace. */
export interface UsageRow {
  readonly runId: string;
  readonly taskId: string;
  readonly tests: number;
  readonly cost: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly latencyMs: number;
}

// As in evaluations/result.ts: what failed counts as not passed.
const isCounted = (row: string) =>
  `(${row}.status = 'FAILED' OR (${row}.status = 'COMPLETED' AND ${row}.passed IS NOT NULL))`;
const isPassed = (row: string) => `(${row}.status = 'COMPLETED' AND ${row}.passed IS TRUE)`;
const isScored = (row: string) => `${row}.status = 'COMPLETED' AND ${row}.score_micro IS NOT NULL`;
// Scores are whole quarters of millionths, and groups have an order, so that a sum is the same whatever the rows' order.
const sums = (row: string, score: string) => `
  count(*) FILTER (WHERE ${isCounted(row)})::int AS tests, count(*) FILTER (WHERE ${isPassed(row)})::int AS passed,
  count(*) FILTER (WHERE ${row}.status = 'FAILED')::int AS errored,
  count(*) FILTER (WHERE NOT ${isCounted(row)})::int AS uncounted,
  count(*) FILTER (WHERE ${isScored(row)})::int AS "scoreCount",
  coalesce(sum(${score}) FILTER (WHERE ${isScored(row)}), 0)::float8 / 4e6 AS "scoreSum"`;

const ofRuns = "t.application_id = $1 AND t.run_id = ANY ($2::uuid[])";

const testResults = `SELECT t.run_id AS "runId", t.task_id AS "taskId", ${sums("t", "4 * t.score_micro")},
    min(t.id::text) FILTER (WHERE ${isPassed("t")}) AS "passedTestId",
    min(t.id::text) FILTER (WHERE ${isCounted("t")} AND NOT ${isPassed("t")}) AS "failedTestId"
  FROM experiments.test t WHERE ${ofRuns} GROUP BY t.run_id, t.task_id ORDER BY t.run_id, t.task_id`;

// NATURALNESS and STYLE have scores from 1 to 5.
const evaluationScore = `CASE WHEN e.definition_type IN ('NATURALNESS', 'STYLE')
  THEN e.score_micro - 1000000 ELSE 4 * e.score_micro END`;
const evaluationResults = `SELECT t.run_id AS "runId", e.task_id AS "taskId", e.definition_id AS "definitionId",
    min(e.definition_type) AS "definitionType", ${sums("e", evaluationScore)},
    sum(e.cost_micro)::float8 / 1e6 AS "judgeCost"
  FROM experiments.test t JOIN experiments.evaluation e
    ON e.application_id = t.application_id AND e.test_id = t.id AND e.created_at = t.created_at
  WHERE ${ofRuns} AND e.replaced_by IS NULL GROUP BY t.run_id, e.definition_id, e.task_id
  ORDER BY t.run_id, e.definition_id, e.task_id`;

const usage = `SELECT "runId", "taskId", count(*)::int AS tests, sum(cost ORDER BY id)::float8 AS cost, sum(input)::float8 AS "inputTokens",
    sum(output)::float8 AS "outputTokens", sum(latency)::float8 AS "latencyMs"
  FROM (SELECT t.run_id AS "runId", t.task_id AS "taskId", t.id, sum(r.total_cost ORDER BY r.id) AS cost, sum(r.total_prompt_tokens) AS input,
      sum(r.total_completion_tokens) AS output,
      coalesce(extract(epoch FROM max(r.ended_at) - min(r.started_at)) * 1000, 0) AS latency
    FROM experiments.test t JOIN experiments.trace r ON r.application_id = t.application_id AND r.test_id = t.id
    WHERE ${ofRuns} GROUP BY t.run_id, t.task_id, t.id) of_test
  GROUP BY "runId", "taskId" ORDER BY "runId", "taskId"`;

// The sums of runs know all tests.
const ownTests = `SELECT t.id, t.created_at AS "createdAt" FROM experiments.test t WHERE ${ofRuns}`;
const incompleteRuns = `SELECT s.run_id AS id FROM experiments.run_stat s WHERE s.application_id = $1 AND s.run_id = ANY ($2::uuid[])
    AND s.tests > (SELECT count(*) FROM experiments.test t WHERE t.application_id = $1 AND t.run_id = s.run_id)`;
const dayMs = 86_400_000;

/** TestResultRow, EvaluationResultRow and UsageRow, in this order, and before them the rows of `others`. */
export function readResults(stores: Stores, call: Call, runIds: readonly string[], others: readonly Statement[] = []) {
  const values = [call.tenant.applicationId, runIds];
  const statements = [
    ...others,
    { name: "compared-tests", text: testResults, values },
    { name: "compared-evaluations", text: evaluationResults, values },
    { name: "compared-usage", text: usage, values },
  ];
  type Test = { readonly id: string; readonly createdAt: Date };
  return readBeside(stores, call, statements, async (find) => {
    const [own = [], incomplete = []] = await stores.database.readAll(call, [
      { text: ownTests, values },
      { text: incompleteRuns, values },
    ]);
    const dropped = incomplete.length === 0 ? [] : await find<Test>("test", "run_id", runIds);
    const tests = [...(own as Test[]), ...dropped];
    const ids = tests.map(({ id }) => id);
    if (dropped.length > 0) await find("evaluation", "test_id", ids);
    // A test's trace came a day before it at most.
    const since = new Date(Math.min(...tests.map(({ createdAt }) => createdAt.getTime())) - dayMs);
    await find("trace", "test_id", ids, { within: (extent) => clipped(extent, since) });
  });
}
