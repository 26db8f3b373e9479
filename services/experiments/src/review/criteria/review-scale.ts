// Scales of reviewers' scores, and their agreement with the verdict. Pure.

import { enumName } from "@ems/kit/enum";
import { type EvalDefinition, EvalDefinitionTypeSchema } from "@ems/proto/catalog/v1/eval_definition";
import { describeScale, getPassingScale, isOnScale, type PassingScale } from "@ems/proto/scales";

export type Criterion = Pick<EvalDefinition, "name" | "type" | "globalConfig">;

/** Returns the scale of a definition's scores; undefined if the definition has only a verdict. */
export function getReviewScale({ type, globalConfig }: Criterion): PassingScale | undefined {
  return getPassingScale(enumName<string>(EvalDefinitionTypeSchema, type), globalConfig);
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
