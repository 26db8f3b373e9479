import { messageOf } from "@ems/kit/message";
import type { DefinitionCalibration } from "@ems/proto/catalog/v1/eval_definition";
import { EvaluationSchema } from "@ems/proto/experiments/v1/evaluation";
import { RecordedEvaluationSchema } from "@ems/proto/experiments/v1/test_service";
import type { EvaluationRow } from "./entity.ts";
import { definitionOf, type References } from "./references.ts";

/** `traceId` is that of the trace which names the evaluation's test. */
export function evaluation(row: EvaluationRow, references: References, traceId: string | undefined) {
  const definition = definitionOf(references, row);
  return messageOf(EvaluationSchema, {
    ...row,
    ...derivedFields(row),
    definition,
    traceId: traceId ?? null,
    inputTokens: bigintOf(row.inputTokens),
    outputTokens: bigintOf(row.outputTokens),
    costMicro: bigintOf(row.costMicro),
    uncertainCostMicro: bigintOf(row.uncertainCostMicro),
    estimatedTokens: bigintOf(row.estimatedTokens),
    replacedById: row.replacedBy,
    reliable: isReliable(row, definition.calibration),
  });
}

/** Whether the judge of a result is to be relied on; null when another one was measured, or none. */
function isReliable(row: EvaluationRow, calibration: DefinitionCalibration | undefined): boolean | null {
  if (calibration === undefined) return null;
  const { definitionVersion = null, judgeVersion = null, model = null, reliable = null } = calibration;
  const isMeasured =
    row.definitionVersion === definitionVersion && row.judgeVersion === judgeVersion && row.model === model;
  return isMeasured ? reliable : null;
}

export const recordedEvaluation = (row: EvaluationRow) =>
  messageOf(RecordedEvaluationSchema, { ...row, ...derivedFields(row) });

/** The fields of a result that its row has in another form. */
export function derivedFields({
  scoreMicro,
  createdAt,
  modifiedAt,
}: Pick<EvaluationRow, "scoreMicro" | "createdAt" | "modifiedAt">) {
  return { score: scoreMicro === null ? null : Number(scoreMicro) / 1e6, modifiedAt: modifiedAt ?? createdAt };
}

const bigintOf = (value: string | null) => (value === null ? null : BigInt(value));
