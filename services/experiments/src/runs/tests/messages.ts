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
  });
}
