// Calculates rates and means of judged results, from 0 to 1. Pure.

import { keepOnScale, toQuarterMicros } from "@ems/proto/scales";
import type { EvaluationRow } from "@ems/results";
import { evaluationOutcome, type JudgedEvaluation, type TestOutcome } from "./outcome.ts";

/** Sums of results. As in rollups, scores are in quarters of millionths. */
export interface Sums {
  /** Number of judged results. */
  readonly counted: number;
  readonly passed: number;
  readonly errored: number;
  readonly none: number;
  readonly scoreRows: number;
  readonly scoreSum: number;
}

type Scored = JudgedEvaluation & Pick<EvaluationRow, "scoreMicro" | "definitionType">;

/** Adds up the evaluations of a test. */
export function sumEvaluations(evaluations: readonly Scored[]): Sums {
  const count = (outcome: TestOutcome) => evaluations.filter((row) => evaluationOutcome(row) === outcome).length;
  const scores = evaluations.flatMap(({ status, definitionType, scoreMicro }) => {
    const score = status === "COMPLETED" ? keepOnScale(scoreMicro, definitionType) : null;
    return score === null ? [] : [toQuarterMicros(score, definitionType)];
  });
  const passed = count("PASSED");
  return {
    counted: passed + count("FAILED"),
    passed,
    errored: count("ERRORED"),
    none: count("NONE"),
    scoreRows: scores.length,
    scoreSum: scores.reduce((sum, score) => sum + score, 0),
  };
}

/** Returns the test's fields that follow from its current evaluations. */
export function derivedFromEvaluations(evaluations: readonly (Scored & Pick<EvaluationRow, "definitionId">)[]) {
  const { counted, passed } = sumEvaluations(evaluations);
  return {
    definitionIds: [...new Set(evaluations.map(({ definitionId }) => definitionId))],
    evaluationCount: counted,
    evaluationPassed: passed,
  };
}

/**
 * Returns the verdict and the score of a test whose evaluations have all ended; null where there is none. The score is
 * the mean of the normalized scores. A test with a failed evaluation has neither, because a verdict is missing.
 */
export function computeVerdict(evaluations: readonly Scored[]): {
  scoreMicro: string | null;
  scoreExact: null;
  passed: boolean | null;
} {
  const sums = sumEvaluations(evaluations);
  if (sums.errored > 0) return { scoreMicro: null, scoreExact: null, passed: null };
  return {
    scoreMicro: meanScoreMicro(sums),
    scoreExact: null,
    passed: sums.counted === 0 ? null : sums.passed === sums.counted,
  };
}

/** Returns the mean score in millionths; null without scores. */
export const meanScoreMicro = ({ scoreRows, scoreSum }: Pick<Sums, "scoreRows" | "scoreSum">): string | null =>
  scoreRows === 0 ? null : String(Math.round(scoreSum / scoreRows / 4));

/** Returns the rates; undefined while no result is judged. */
export function toResult({ counted, passed, scoreRows, scoreSum }: Omit<Sums, "errored" | "none">) {
  if (counted === 0) return undefined;
  return {
    averageScore: scoreRows === 0 ? 0 : scoreSum / scoreRows / 4e6,
    failed: BigInt(counted - passed),
    passed: BigInt(passed),
    passRate: passed / counted,
    total: BigInt(counted),
  };
}

/** Returns the numbers of results by outcome, with rates where a result is judged. */
export function toSummary({ counted, passed, errored, none, scoreRows, scoreSum }: Sums) {
  return {
    passed: BigInt(passed),
    failed: BigInt(counted - passed),
    errored: BigInt(errored),
    none: BigInt(none),
    passRate: counted === 0 ? null : passed / counted,
    averageScore: scoreRows === 0 ? null : scoreSum / scoreRows / 4e6,
  };
}

export const noResults: Sums = { counted: 0, passed: 0, errored: 0, none: 0, scoreRows: 0, scoreSum: 0 };
