// The results of two runs by task: three statements, whatever the number of tests. Sums are made in PostgreSQL.

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
const sums = (row: string, score: string) => `
  count(*) FILTER (WHERE ${isCounted(row)})::int AS tests, count(*) FILTER (WHERE ${isPassed(row)})::int AS passed,
  count(*) FILTER (WHERE ${row}.status = 'FAILED')::int AS errored,
  count(*) FILTER (WHERE NOT ${isCounted(row)})::int AS uncounted,
  count(*) FILTER (WHERE ${isScored(row)})::int AS "scoreCount",
  coalesce(sum(${score}) FILTER (WHERE ${isScored(row)}), 0)::float8 AS "scoreSum"`;

const ofRuns = "t.application_id = $1 AND t.run_id = ANY ($2::uuid[])";

const testResults = `SELECT t.run_id AS "runId", t.task_id AS "taskId", ${sums("t", "t.score_micro / 1e6::float8")},
    min(t.id::text) FILTER (WHERE ${isPassed("t")}) AS "passedTestId",
    min(t.id::text) FILTER (WHERE ${isCounted("t")} AND NOT ${isPassed("t")}) AS "failedTestId"
  FROM experiments.test t WHERE ${ofRuns} GROUP BY t.run_id, t.task_id`;

// NATURALNESS and STYLE have scores from 1 to 5.
const evaluationScore = `CASE WHEN e.definition_type IN ('NATURALNESS', 'STYLE')
  THEN (e.score_micro - 1000000) / 4e6::float8 ELSE e.score_micro / 1e6::float8 END`;
const evaluationResults = `SELECT t.run_id AS "runId", e.task_id AS "taskId", e.definition_id AS "definitionId",
    min(e.definition_type) AS "definitionType", ${sums("e", evaluationScore)},
    sum(e.cost_micro)::float8 / 1e6 AS "judgeCost"
  FROM experiments.test t JOIN experiments.evaluation e
    ON e.application_id = t.application_id AND e.test_id = t.id AND e.created_at = t.created_at
  WHERE ${ofRuns} AND e.replaced_by IS NULL GROUP BY t.run_id, e.definition_id, e.task_id`;

const usage = `SELECT "runId", "taskId", count(*)::int AS tests, sum(cost)::float8 AS cost, sum(input)::float8 AS "inputTokens",
    sum(output)::float8 AS "outputTokens", sum(latency)::float8 AS "latencyMs"
  FROM (SELECT t.run_id AS "runId", t.task_id AS "taskId", sum(r.total_cost) AS cost, sum(r.total_prompt_tokens) AS input,
      sum(r.total_completion_tokens) AS output,
      coalesce(extract(epoch FROM max(r.ended_at) - min(r.started_at)) * 1000, 0) AS latency
    FROM experiments.test t JOIN experiments.trace r ON r.application_id = t.application_id AND r.test_id = t.id
    WHERE ${ofRuns} GROUP BY t.run_id, t.task_id, t.id) of_test
  GROUP BY "runId", "taskId"`;

/** The statements of TestResultRow, EvaluationResultRow and UsageRow, in this order. */
export function resultStatements({ tenant }: Call, runIds: readonly string[]): Statement[] {
  const values = [tenant.applicationId, runIds];
  return [
    { name: "compared-tests", text: testResults, values },
    { name: "compared-evaluations", text: evaluationResults, values },
    { name: "compared-usage", text: usage, values },
  ];
}
