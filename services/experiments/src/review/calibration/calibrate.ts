// Computes how far a judge agrees with people, and the judge's pass rate corrected for its errors. Pure.

import {
  type Confusion,
  correctedRate,
  correlation,
  type Estimate,
  kappa,
  rateInterval,
  type ScorePair,
  weightedKappa,
} from "@ems/kit/statistics";
import { calibrationTracesMin } from "@ems/proto/limits";

/** Counts of the decisions that one judge and people made on the same traces, and of the judge's on all traces. */
export interface JudgeCounts {
  readonly confusion: Confusion;
  readonly evaluations: number;
  readonly passed: number;
  /** Scores of the judge and of people for the same traces. */
  readonly scores?: readonly ScorePair[];
}

export interface Quality {
  readonly humanPassed: number;
  readonly humanFailed: number;
  readonly judgedPassRate?: Estimate | undefined;
  /** Agreement with people; undefined if too few traces were annotated. */
  readonly measures?: Measures;
  readonly scored: ScoreQuality;
}

/** Agreement of scores; estimates are undefined if too few traces have scores of both sides. */
export interface ScoreQuality {
  readonly traces: number;
  readonly weightedKappa?: Estimate | undefined;
  readonly correlation?: Estimate | undefined;
}

export interface Measures {
  readonly sensitivity: Estimate;
  readonly specificity: Estimate;
  /** Cohen's kappa; undefined if all decisions of the judge, or of the people, are the same. */
  readonly kappa?: Estimate | undefined;
  /** Pass rate corrected for the judge's errors; undefined if no better than chance or without evaluations. */
  readonly correctedPassRate?: Estimate | undefined;
}

export function calibrate({ confusion, evaluations, passed, scores = [] }: JudgeCounts): Quality {
  const humanPassed = confusion.bothPass + confusion.onlyHumanPasses;
  const humanFailed = confusion.bothFail + confusion.onlyJudgePasses;
  const found = {
    humanPassed,
    humanFailed,
    judgedPassRate: estimateRate(passed, evaluations),
    scored: compareScores(scores),
  };
  const sensitivity = estimateRate(confusion.bothPass, humanPassed);
  const specificity = estimateRate(confusion.bothFail, humanFailed);
  const isEnough = Math.min(humanPassed, humanFailed) >= calibrationTracesMin;
  if (!isEnough || sensitivity === undefined || specificity === undefined) return found;
  const judge = { sensitivity: sensitivity.value, humanPassed, specificity: specificity.value, humanFailed };
  const correctedPassRate = evaluations === 0 ? undefined : correctedRate(passed / evaluations, evaluations, judge);
  return { ...found, measures: { sensitivity, specificity, kappa: kappa(confusion), correctedPassRate } };
}

function compareScores(scores: readonly ScorePair[]): ScoreQuality {
  const traces = scores.length;
  if (traces < calibrationTracesMin) return { traces };
  return { traces, weightedKappa: weightedKappa(scores), correlation: correlation(scores) };
}

function estimateRate(count: number, total: number): Estimate | undefined {
  const interval = rateInterval(count, total);
  return interval && { value: count / total, ...interval };
}
