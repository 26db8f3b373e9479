// From the rows of runs, tests and evaluations to their messages.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { ResultStatus, type RunSchema, RunType } from "@ems/proto/experiments/v1/run";
import type { EvaluationSchema, TestSchema, TestSummarySchema } from "@ems/proto/experiments/v1/test_service";
import type { EvaluationRow } from "../evaluations/entity.ts";
import type { TestRow } from "../tests/entity.ts";
import type { RunRow } from "./entity.ts";

export type ReadTest = Omit<TestRow, "definitionIds">;
export type ReadEvaluation = Pick<
  EvaluationRow,
  "id" | "definitionId" | "definitionType" | "status" | "scoreMicro" | "passed" | "createdAt"
>;

export function run({
  type,
  status,
  title,
  createdAt,
  modifiedAt,
  ...same
}: RunRow): MessageInitShape<typeof RunSchema> {
  return {
    ...same,
    type: RunType[type],
    status: ResultStatus[status],
    ...(title !== null && { title }),
    createdAt: timestampFromDate(createdAt),
    modifiedAt: timestampFromDate(modifiedAt),
  };
}

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

function evaluation({
  id,
  definitionId,
  definitionType,
  ...result
}: ReadEvaluation): MessageInitShape<typeof EvaluationSchema> {
  return { id, definitionId, definitionType: EvalDefinitionType[definitionType], ...outcome(result) };
}

/** What a test and an evaluation tell alike. Results never change: they were modified when they were created. */
function outcome({
  status,
  scoreMicro,
  passed,
  createdAt,
}: Pick<TestRow, "status" | "scoreMicro" | "passed" | "createdAt">) {
  const time = timestampFromDate(createdAt);
  return {
    status: ResultStatus[status],
    ...(scoreMicro !== null && { score: Number(scoreMicro) / 1e6 }),
    ...(passed !== null && { passed }),
    createdAt: time,
    modifiedAt: time,
  };
}
