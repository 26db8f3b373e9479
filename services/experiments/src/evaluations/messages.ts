import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { ResultStatus } from "@ems/proto/experiments/v1/run";
import type { EvaluationSchema } from "@ems/proto/experiments/v1/test_service";
import type { EvaluationRow } from "./entity.ts";

export type ReadEvaluation = Pick<
  EvaluationRow,
  "id" | "definitionId" | "definitionType" | "status" | "scoreMicro" | "passed" | "createdAt"
>;

export function evaluation({
  id,
  definitionId,
  definitionType,
  ...result
}: ReadEvaluation): MessageInitShape<typeof EvaluationSchema> {
  return { id, definitionId, definitionType: EvalDefinitionType[definitionType], ...outcome(result) };
}

/** The fields that tests and evaluations share. Results are immutable, so `modifiedAt` is `createdAt`. */
export function outcome({
  status,
  scoreMicro,
  passed,
  createdAt,
}: Pick<EvaluationRow, "status" | "scoreMicro" | "passed" | "createdAt">) {
  const time = timestampFromDate(createdAt);
  return {
    status: ResultStatus[status],
    ...(scoreMicro !== null && { score: Number(scoreMicro) / 1e6 }),
    ...(passed !== null && { passed }),
    createdAt: time,
    modifiedAt: time,
  };
}
