import type { EvaluationRow } from "@ems/results";

/** Results of a run by task, or by task and definition. */
interface ResultRow {
  readonly runId: string;
  readonly taskId: string;
  /** Number of judged results. */
  readonly tests: number;
  readonly passed: number;
  readonly errored: number;
  readonly erroredByApplication: number;
  readonly erroredByConfiguration: number;
  readonly none: number;
  /** Number of results that have not ended. */
  readonly open: number;
  readonly scoreCount: number;
  /** Sum of scores, each scaled to 0 to 1. */
  readonly scoreSum: number;
}

export interface TestResultRow extends ResultRow {
  readonly passedTestId: string | null;
  readonly failedTestId: string | null;
}

export interface EvaluationResultRow extends ResultRow, Pick<EvaluationRow, "definitionId" | "definitionType"> {
  /** Scores of evaluations whose test is judged, each from 0 to 1. */
  readonly judgedScoreCount: number;
  readonly judgedScoreSum: number;
  /** In US dollars; null if no judge reported a cost. */
  readonly judgeCost: number | null;
  /** Smallest version of the judges; null if it is unknown. */
  readonly judgeVersion: string | null;
}

/** Resources that the application used for those tests of a task that have a trace. */
export interface UsageRow {
  readonly runId: string;
  readonly taskId: string;
  readonly tests: number;
  /** Sum of the known costs, and the number of tests with one; null if there are none. */
  readonly cost: number | null;
  readonly pricedTests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly latencyMs: number;
}

/**
 * SQL, for PostgreSQL and ClickHouse, that returns the cost of the test `t`; null if it is not known. Usage that was
 * copied by earlier versions has a known cost if it is not zero.
 */
export const knownCost = "CASE WHEN t.trace_cost > 0 OR t.trace_unpriced_steps IS NOT NULL THEN t.trace_cost END";

/** Rows of the three statements, in this order. */
export type Results = [TestResultRow[], EvaluationResultRow[], UsageRow[]];
