import { sumEvaluations } from "../outcomes/index.ts";
import type { SummedTest } from "./rollups.ts";

type SummedFields = Omit<SummedTest, "evaluationScores">;

/** Returns the fields of a test from which rollups are computed, with the scores of its current evaluations. */
export function summedTest<Test extends SummedFields>(
  test: Test,
  evaluations: Parameters<typeof sumEvaluations>[0],
): Test & SummedTest {
  const { scoreRows, scoreSum } = sumEvaluations(evaluations);
  return { ...test, evaluationScores: { rows: scoreRows, sum: scoreSum } };
}
