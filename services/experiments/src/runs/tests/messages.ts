import { toValue } from "@ems/kit/json/free-value";
import { buildMessage } from "@ems/kit/message";
import { RecordedTestSchema, TestSchema } from "@ems/proto/experiments/v1/test_service";
import { derivedFields, type EvaluationRow, evaluation, type References, recordedEvaluation } from "@ems/results";
import { sumResults, toResult } from "../evaluations/index.ts";
import type { TestRow } from "./entity.ts";

export const recordedTest = (row: TestRow, evaluations: readonly EvaluationRow[]) =>
  buildMessage(RecordedTestSchema, { ...row, ...derivedFields(row), evaluations: evaluations.map(recordedEvaluation) });

/** Builds the API message of a test. `traceId` is the id of the trace that names the test. */
export function test(
  row: TestRow,
  evaluations: readonly EvaluationRow[],
  references: References,
  traceId: string | undefined,
) {
  return buildMessage(TestSchema, {
    ...row,
    ...derivedFields(row),
    prompt: toValue(row.prompt),
    traceId: row.traceId ?? traceId ?? null,
    evals: evaluations.map((evaluationRow) => evaluation(evaluationRow, references, traceId)),
    result: toResult(sumResults(evaluations)) ?? null,
    task: references.tasks.get(row.taskId) ?? { id: row.taskId },
    usage: usage(row),
  });
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
