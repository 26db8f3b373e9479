import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Fact } from "@ems/kit/events/content";
import { toValue } from "@ems/kit/json/free-value";
import { buildMessage } from "@ems/kit/message";
import { RunCompletedSchema, TestCompletedSchema, TestEvaluationSchema } from "@ems/proto/events/v1/event";
import { derivedFields, type EvaluationRow } from "@ems/results";
import type { TestedVariant } from "../../experiments/experiments/index.ts";
import { isJudged, type Sums, testOutcome, toResult, toSummary } from "../outcomes/index.ts";
import type { RunRow } from "../runs/index.ts";
import type { TestRow } from "../tests/index.ts";

/** The event omits the evaluations if their messages together are longer. */
const evaluationsLengthMax = 128 * 1024;

export function testCompleted(test: TestRow, evaluations: readonly EvaluationRow[]): Fact {
  const length = evaluations.reduce((sum, { message }) => sum + (message?.length ?? 0), 0);
  const evals = length > evaluationsLengthMax ? [] : evaluations;
  const value = buildMessage(TestCompletedSchema, {
    ...test,
    ...derivedFields(test),
    ...(!isJudged(test) && { passed: null, score: null }),
    outcome: testOutcome(test) ?? null,
    evals: evals.map((row) => buildMessage(TestEvaluationSchema, { ...row, ...derivedFields(row) })),
  });
  return { case: "testCompleted", value };
}

export function runCompleted(run: RunRow, sums: Sums): Fact {
  const value = buildMessage(RunCompletedSchema, { ...run, result: toResult(sums) ?? null, summary: toSummary(sums) });
  return { case: "runCompleted", value };
}

/** Builds the event for which notifications delivers the prompt. */
export function promptRequested(
  testId: string,
  prompt: JsonValue,
  metadata: JsonObject | undefined,
  experiment: TestedVariant | undefined,
): Fact {
  const hasMetadata = metadata !== undefined && Object.keys(metadata).length > 0;
  const value = {
    testId,
    prompt: toValue(prompt),
    ...(hasMetadata && { metadata }),
    ...(experiment !== undefined && { experiment }),
  };
  return { case: "promptRequested", value };
}
