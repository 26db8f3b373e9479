// What the evaluations of a test come to. Pure.

import type { EvaluationRow } from "@ems/results";
import { counts, passes, sumsOf } from "../evaluations/index.ts";
import type { TestRow } from "../tests/index.ts";

export const hasEnded = ({ status }: Pick<EvaluationRow | TestRow, "status">) =>
  status === "COMPLETED" || status === "FAILED" || status === "SKIPPED";

/** The fields of a test that follow from its evaluations, of which each counts once. */
export function derivedFromEvaluations(evaluations: readonly EvaluationRow[]) {
  return {
    definitionIds: [...new Set(evaluations.map(({ definitionId }) => definitionId))],
    evaluationCount: evaluations.filter(counts).length,
    evaluationPassed: evaluations.filter(passes).length,
  };
}

/**
 * The end of a test whose evaluations have all ended: the mean of their normalised scores; it passed when those that count all
 * passed, and without any that counts there is no saying.
 */
export function outcomeOf(evaluations: readonly EvaluationRow[]): Pick<TestRow, "scoreMicro" | "passed"> {
  const { scoreRows, scoreSum } = sumsOf(evaluations);
  const counted = evaluations.filter(counts);
  return {
    scoreMicro: scoreRows === 0 ? null : String(Math.round(scoreSum / scoreRows / 4)),
    passed: counted.length === 0 ? null : counted.every(passes),
  };
}
