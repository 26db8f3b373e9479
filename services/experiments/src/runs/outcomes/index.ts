export { evaluationCauseSql, type TestErrorCause } from "./causes.ts";
export {
  evaluationOutcome,
  hasEnded,
  isJudged,
  type JudgedEvaluation,
  type JudgedTest,
  type TestOutcome,
  testErrorCause,
  testOutcome,
} from "./outcome.ts";
export {
  computeVerdict,
  derivedFromEvaluations,
  meanScoreMicro,
  noResults,
  type Sums,
  sumEvaluations,
  toResult,
  toSummary,
} from "./result.ts";
export { evaluationOutcomeSql, isErroredSql, testOutcomeSql } from "./sql.ts";
