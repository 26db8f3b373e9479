import type { MessageInitShape } from "@bufbuild/protobuf";
import { RunType } from "@ems/proto/experiments/v1/run";
import type { TestSchema, TestSummarySchema } from "@ems/proto/experiments/v1/test_service";
import { evaluation, outcome, type ReadEvaluation } from "../evaluations/index.ts";
import type { TestRow } from "./entity.ts";

export type ReadTest = Omit<TestRow, "definitionIds">;

export function testSummary(row: ReadTest): MessageInitShape<typeof TestSummarySchema> {
  return testFields(row);
}

export function test(row: ReadTest, evaluations: readonly ReadEvaluation[]): MessageInitShape<typeof TestSchema> {
  return { ...testFields(row), evaluations: evaluations.map(evaluation) };
}

function testFields({ topicId, runType, durationMs, status, scoreMicro, passed, createdAt, ...same }: ReadTest) {
  return {
    ...same,
    ...(topicId !== null && { topicId }),
    runType: RunType[runType],
    ...(durationMs !== null && { durationMs }),
    ...outcome({ status, scoreMicro, passed, createdAt }),
  };
}
