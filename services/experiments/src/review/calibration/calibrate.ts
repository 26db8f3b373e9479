// How far a judge agrees with people, and its pass rate corrected for its errors. Pure.

import { type Confusion, correctedRate, type Estimate, kappa, rateInterval } from "@ems/kit/statistics";
import { calibrationTracesMin } from "@ems/proto/limits";

/** What one judge and people found of the same traces, and what the judge found of all. */
export interface JudgeCounts {
  readonly confusion: Confusion;
  readonly evaluations: number;
  readonly passed: number;
}

export interface Quality {
  readonly humanPassed: number;
  readonly humanFailed: number;
  readonly judgedPassRate?: Estimate | undefined;
  /** Undefined while too few traces were annotated. */
  readonly measures?: Measures;
}

export interface Measures {
  readonly sensitivity: Estimate;
  readonly specificity: Estimate;
  /** Undefined where the judge or people always say the same. */
  readonly kappa?: Estimate | undefined;
  /** Undefined of a judge no better than chance, and without evaluations. */
  readonly correctedPassRate?: Estimate | undefined;
}

export function calibrate({ confusion, evaluations, passed }: JudgeCounts): Quality {
  const humanPassed = confusion.bothPass + confusion.onlyHumanPasses;
  const humanFailed = confusion.bothFail + confusion.onlyJudgePasses;
  const found = { humanPassed, humanFailed, judgedPassRate: rateOf(passed, evaluations) };
  const sensitivity = rateOf(confusion.bothPass, humanPassed);
  const specificity = rateOf(confusion.bothFail, humanFailed);
  const isEnough = Math.min(humanPassed, humanFailed) >= calibrationTracesMin;
  if (!isEnough || sensitivity === undefined || specificity === undefined) return found;
  const judge = { sensitivity: sensitivity.value, humanPassed, specificity: specificity.value, humanFailed };
  const correctedPassRate = evaluations === 0 ? undefined : correctedRate(passed / evaluations, evaluations, judge);
  return { ...found, measures: { sensitivity, specificity, kappa: kappa(confusion), correctedPassRate } };
}

function rateOf(count: number, total: number): Estimate | undefined {
  const interval = rateInterval(count, total);
  return interval && { value: count / total, ...interval };
}
