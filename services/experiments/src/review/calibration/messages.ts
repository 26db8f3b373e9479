import { buildMessage } from "@ems/kit/message";
import {
  JudgeConfusionSchema,
  JudgeQualitySchema,
  TraceToAnnotateSchema,
} from "@ems/proto/experiments/v1/calibration_service";
import type { MeasuredJudge } from "./read-calibration.ts";
import type { CandidateRow } from "./rows.ts";
import { formatSummary } from "./summary.ts";

export const traceToAnnotate = (row: CandidateRow) => buildMessage(TraceToAnnotateSchema, row);

export function judgeQuality({ agreement, quality, ...judge }: MeasuredJudge, kappaFloor: number) {
  const { measures } = quality;
  const kappa = measures?.kappa;
  return buildMessage(JudgeQualitySchema, {
    ...judge,
    confusion: buildMessage(JudgeConfusionSchema, { ...agreement, onlyPeoplePass: agreement.onlyHumanPasses }),
    undecided: agreement.undecided,
    sensitivity: measures?.sensitivity ?? null,
    specificity: measures?.specificity ?? null,
    kappa: kappa ?? null,
    judgedPassRate: quality.judgedPassRate ?? null,
    correctedPassRate: measures?.correctedPassRate ?? null,
    reliable: kappa === undefined ? null : kappa.value >= kappaFloor,
    summary: formatSummary(quality, kappaFloor),
    scoredTraces: quality.scored.traces,
    weightedKappa: quality.scored.weightedKappa ?? null,
    correlation: quality.scored.correlation ?? null,
  });
}
