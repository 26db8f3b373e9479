// Calculates rates and means of evaluations, from 0 to 1. Pure.

import { keepOnScale, toQuarterMicros } from "@ems/proto/scales";
import type { EvaluationRow } from "@ems/results";

type Counted = Pick<EvaluationRow, "status" | "passed" | "scoreMicro" | "definitionType">;

/** Sums of results. As in rollups, scores are in quarters of millionths. */
export interface Sums {
  readonly counted: number;
  readonly passed: number;
  readonly scoreRows: number;
  readonly scoreSum: number;
}

/** Returns true if a result counts. Failed ones count as not passed. Skipped, open and unjudged ones do not count. */
export function counts({ status, passed }: Pick<Counted, "status" | "passed">): boolean {
  return status === "FAILED" || (status === "COMPLETED" && passed !== null);
}

export function passes({ status, passed }: Pick<Counted, "status" | "passed">): boolean {
  return status === "COMPLETED" && passed === true;
}

export function sumResults(evaluations: readonly Counted[]): Sums {
  const scores = evaluations.flatMap(({ status, definitionType, scoreMicro }) => {
    const score = status === "COMPLETED" ? keepOnScale(scoreMicro, definitionType) : null;
    return score === null ? [] : [toQuarterMicros(score, definitionType)];
  });
  return {
    counted: evaluations.filter(counts).length,
    passed: evaluations.filter(passes).length,
    scoreRows: scores.length,
    scoreSum: scores.reduce((sum, score) => sum + score, 0),
  };
}

/** Returns the rates; undefined while no result counts. */
export function toResult({ counted, passed, scoreRows, scoreSum }: Sums) {
  if (counted === 0) return undefined;
  return {
    averageScore: scoreRows === 0 ? 0 : scoreSum / scoreRows / 4e6,
    failed: BigInt(counted - passed),
    passed: BigInt(passed),
    passRate: passed / counted,
    total: BigInt(counted),
  };
}
