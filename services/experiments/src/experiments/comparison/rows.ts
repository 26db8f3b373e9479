import type { EvaluationRow } from "@ems/results";

/** Results of a run by task, or by task and definition. */
interface ResultRow {
  readonly runId: string;
  readonly taskId: string;
  readonly tests: number;
  readonly passed: number;
  readonly errored: number;
  readonly uncounted: number;
  readonly scoreCount: number;
  /** Scaled to 0 to 1. */
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

/** Usage of the application for the tests of a task that have a trace. */
export interface UsageRow {
  readonly runId: string;
  readonly taskId: string;
  readonly tests: number;
  readonly cost: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly latencyMs: number;
}

/** In this order. */
export type Results = [TestResultRow[], EvaluationResultRow[], UsageRow[]];
