// Derives the outcome of a test from its evaluations. Pure.

import type { EvaluationRow } from "@ems/results";
import { counts, passes, sumResults } from "../evaluations/index.ts";
import type { TestRow } from "../tests/index.ts";

export const hasEnded = ({ status }: Pick<EvaluationRow | TestRow, "status">) =>
  status === "COMPLETED" || status === "FAILED" || status === "SKIPPED";

/** Returns the test's fields that follow from its current evaluations. */
export function derivedFromEvaluations(evaluations: readonly EvaluationRow[]) {
  return {
    definitionIds: [...new Set(evaluations.map(({ definitionId }) => definitionId))],
    evaluationCount: evaluations.filter(counts).length,
    evaluationPassed: evaluations.filter(passes).length,
  };
}

/**
 * Returns the outcome of a test whose evaluations have all ended. Its score is the mean of the normalized scores. It
 * passes if all evaluations that count passed; the result is undefined if none counts.
 */
export function computeOutcome(
  evaluations: readonly EvaluationRow[],
): Pick<TestRow, "scoreMicro" | "scoreExact" | "passed"> {
  const { scoreRows, scoreSum } = sumResults(evaluations);
  const counted = evaluations.filter(counts);
  return {
    scoreMicro: scoreRows === 0 ? null : String(Math.round(scoreSum / scoreRows / 4)),
    scoreExact: null,
    passed: counted.length === 0 ? null : counted.every(passes),
  };
}
