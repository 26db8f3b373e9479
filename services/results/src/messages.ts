import { buildMessage } from "@ems/kit/message";
import type { DefinitionCalibration } from "@ems/proto/catalog/v1/eval_definition";
import { EvaluationSchema } from "@ems/proto/experiments/v1/evaluation";
import { RecordedEvaluationSchema } from "@ems/proto/experiments/v1/test_service";
import { isOnScale } from "@ems/proto/scales";
import type { EvaluationRow } from "./entity.ts";
import { getDefinition, type References } from "./references.ts";

/** Builds the API message. `traceId` is the id of the trace that refers to the evaluation's test. */
export function evaluation(row: EvaluationRow, references: References, traceId: string | undefined) {
  const definition = getDefinition(references, row);
  return buildMessage(EvaluationSchema, {
    ...row,
    ...derivedFields(row),
    definition,
    traceId: traceId ?? null,
    inputTokens: toBigint(row.inputTokens),
    outputTokens: toBigint(row.outputTokens),
    costMicro: toBigint(row.costMicro),
    uncertainCostMicro: toBigint(row.uncertainCostMicro),
    estimatedTokens: toBigint(row.estimatedTokens),
    replacedById: row.replacedBy,
    reliable: isReliable(row, definition.calibration),
  });
}

/** True if the judge of a result is reliable; null if another judge, or none, was calibrated. */
function isReliable(row: EvaluationRow, calibration: DefinitionCalibration | undefined): boolean | null {
  if (calibration === undefined) return null;
  const { definitionVersion = null, judgeVersion = null, model = null, reliable = null } = calibration;
  const isMeasured =
    row.definitionVersion === definitionVersion && row.judgeVersion === judgeVersion && row.model === model;
  return isMeasured ? reliable : null;
}

export const recordedEvaluation = (row: EvaluationRow) =>
  buildMessage(RecordedEvaluationSchema, { ...row, ...derivedFields(row) });

/** Returns the fields that the row stores in another form. */
export function derivedFields({
  scoreMicro,
  scoreExact,
  definitionType,
  createdAt,
  modifiedAt,
}: Pick<EvaluationRow, "scoreMicro" | "scoreExact" | "createdAt" | "modifiedAt"> &
  Partial<Pick<EvaluationRow, "definitionType">>) {
  return {
    score: scoreExact ?? (scoreMicro === null ? null : Number(scoreMicro) / 1e6),
    // Only older rows have such scores.
    scoreOutOfScale: scoreMicro === null || isOnScale(scoreMicro, definitionType) ? null : true,
    modifiedAt: modifiedAt ?? createdAt,
  };
}

/** Smaller scores are kept as they came: six decimals would round them by more than a hundred thousandth. */
const roundedMin = 0.1;

/** Returns the columns of a score: millionths, whose sums are exact, and the score itself if it is too small for them. */
export function scoreColumns(score: number | undefined): Pick<EvaluationRow, "scoreMicro" | "scoreExact"> {
  if (score === undefined) return { scoreMicro: null, scoreExact: null };
  const micro = Math.round(score * 1e6);
  const isRounded = Math.abs(score) >= roundedMin || micro / 1e6 === score;
  return { scoreMicro: String(micro), scoreExact: isRounded ? null : score };
}

const toBigint = (value: string | null) => (value === null ? null : BigInt(value));
