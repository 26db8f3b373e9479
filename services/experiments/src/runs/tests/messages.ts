import { toValue } from "@ems/kit/json/free-value";
import { buildMessage } from "@ems/kit/message";
import { RecordedTestSchema, TestSchema } from "@ems/proto/experiments/v1/test_service";
import { derivedFields, type EvaluationRow, evaluation, type References, recordedEvaluation } from "@ems/results";
import {
  evaluationOutcome,
  sumEvaluations,
  testErrorCause,
  testOutcome,
  toResult,
  toSummary,
} from "../outcomes/index.ts";
import type { TestRow } from "./entity.ts";

export const recordedTest = (row: TestRow, evaluations: readonly EvaluationRow[]) =>
  buildMessage(RecordedTestSchema, {
    ...row,
    ...derivedFields(row),
    ...outcomeFields(row, evaluations),
    // As recorded.
    passed: row.passed,
    evaluations: evaluations.map(recordedEvaluation),
  });

/** Builds the API message of a test. `traceId` is the id of the trace that names the test. */
export function test(
  row: TestRow,
  evaluations: readonly EvaluationRow[],
  references: References,
  traceId: string | undefined,
) {
  const sums = sumEvaluations(evaluations);
  return buildMessage(TestSchema, {
    ...row,
    ...derivedFields(row),
    prompt: toValue(row.prompt),
    traceId: row.traceId ?? traceId ?? null,
    ...outcomeFields(row, evaluations),
    evals: evaluations.map((evaluationRow) => evaluation(evaluationRow, references, traceId)),
    result: toResult(sums) ?? null,
    summary: toSummary(sums),
    task: references.tasks.get(row.taskId) ?? { id: row.taskId },
    usage: usage(row),
  });
}

/** Returns the outcome of a test, and the reason of an ERRORED one, which may be that of an evaluation. */
function outcomeFields(row: TestRow, evaluations: readonly EvaluationRow[]) {
  // Archived rows from before the column have no cause.
  const errorCause = row.errorCause ?? testErrorCause(row, evaluations);
  const outcome = testOutcome({ ...row, errorCause });
  const missing = evaluations.find((evaluationRow) => evaluationOutcome(evaluationRow) === "ERRORED");
  return {
    outcome: outcome ?? null,
    errorCause,
    passed: outcome === "PASSED" ? true : outcome === "FAILED" ? false : null,
    ...(outcome === "ERRORED" && { score: null }),
    message: row.message ?? (outcome === "ERRORED" ? (missing?.message ?? null) : null),
  };
}

function usage(row: TestRow) {
  if (row.traceInputTokens === null) return null;
  const count = (value: string | null) => BigInt(value ?? 0);
  return {
    inputTokens: count(row.traceInputTokens),
    cachedInputTokens: count(row.traceCachedTokens),
    cacheWriteTokens: count(row.traceCacheWriteTokens),
    outputTokens: count(row.traceOutputTokens),
    reasoningTokens: count(row.traceReasoningTokens),
    cost: knownCost(row),
    unpricedSteps: BigInt(row.traceUnpricedSteps ?? 0),
  };
}

/** Returns the cost; null if none is known. Usage that was copied by earlier versions has a known cost if it is not zero. */
function knownCost({ traceCost, traceUnpricedSteps }: TestRow): number | null {
  return traceUnpricedSteps === null && traceCost === 0 ? null : traceCost;
}
