// Scales of reviewers' scores, and their agreement with the verdict. Pure.

import { enumName } from "@ems/kit/enum";
import {
  type EvalDefinition,
  EvalDefinitionType,
  EvalDefinitionTypeSchema,
} from "@ems/proto/catalog/v1/eval_definition";
import { describeScale, getScale, isOnScale, type Scale } from "@ems/proto/scales";

export interface ReviewScale extends Scale {
  /** Lowest score that passes. */
  readonly threshold: number;
}

export type Criterion = Pick<EvalDefinition, "name" | "type" | "globalConfig">;

const listThreshold = 0.8;

/** Returns the scale of a definition's scores; undefined if the definition has only a verdict. */
export function getReviewScale({ type, globalConfig }: Criterion): ReviewScale | undefined {
  const threshold = getThreshold(type, globalConfig);
  return threshold === undefined
    ? undefined
    : { ...getScale(enumName<string>(EvalDefinitionTypeSchema, type)), threshold };
}

/** Returns the threshold at which the judges of the evaluation service pass an answer. */
function getThreshold(type: EvalDefinitionType, config: Criterion["globalConfig"]): number | undefined {
  switch (type) {
    case EvalDefinitionType.NATURALNESS:
    case EvalDefinitionType.STYLE:
      return 3.5;
    case EvalDefinitionType.RECALL:
      return 0.5;
    case EvalDefinitionType.FACT:
      return 0.8;
    case EvalDefinitionType.OUTPUT_MATCH:
      return config?.type === "list" ? (config.passThreshold ?? listThreshold) : undefined;
    default:
      return undefined;
  }
}

/** Returns the error of a score that is not on the definition's scale, or that contradicts the verdict. */
export function findScoreFault(criterion: Criterion, score: number, verdict: boolean): string | undefined {
  const scale = getReviewScale(criterion);
  if (scale === undefined) return `${criterion.name} has only a verdict: omit the score`;
  const type = enumName<string>(EvalDefinitionTypeSchema, criterion.type);
  if (!isOnScale(Math.round(score * 1e6), type)) return describeScale(type);
  const isPassed = score >= scale.threshold;
  if (isPassed === verdict) return undefined;
  const relation = isPassed ? "reaches" : "is below";
  return `The score ${relation} the threshold of ${scale.threshold}: the verdict must be ${isPassed}`;
}
