// Agreement of a judge with people, and correction of a rate for the judge's errors.

import type { ConfidenceInterval } from "./intervals.ts";
import { z } from "./student-t.ts";

/** Number of traces by the results of judge and human. */
export interface Confusion {
  readonly bothPass: number;
  readonly onlyJudgePasses: number;
  readonly onlyHumanPasses: number;
  readonly bothFail: number;
}

export interface Estimate extends ConfidenceInterval {
  readonly value: number;
}

/**
 * Cohen's kappa with its 95 % interval (standard error by Fleiss, Cohen and Everitt). Undefined if the judge, or the
 * human, always gives the same result.
 */
export function kappa({ bothPass, onlyJudgePasses, onlyHumanPasses, bothFail }: Confusion): Estimate | undefined {
  const total = bothPass + onlyJudgePasses + onlyHumanPasses + bothFail;
  const cells = [bothPass, onlyJudgePasses, onlyHumanPasses, bothFail].map((count) => count / total);
  const [pass = 0, judgeOnly = 0, humanOnly = 0, fail = 0] = cells;
  const [judge, human] = [pass + judgeOnly, pass + humanOnly];
  const expected = judge * human + (1 - judge) * (1 - human);
  if (total === 0 || judge * (1 - judge) * human * (1 - human) === 0) return undefined;
  const value = (pass + fail - expected) / (1 - expected);
  const rest = 1 - value;
  const agreed = pass * (1 - (judge + human) * rest) ** 2 + fail * (1 - (2 - judge - human) * rest) ** 2;
  const differed = rest ** 2 * (judgeOnly * (human + 1 - judge) ** 2 + humanOnly * (1 - human + judge) ** 2);
  const variance = (agreed + differed - (value - expected * rest) ** 2) / ((1 - expected) ** 2 * total);
  const half = z * Math.sqrt(Math.max(0, variance));
  return { value, low: value - half, high: value + half };
}

/**
 * Quality of a judge: of the traces that people passed, how many it passed; of those that people failed, how many it
 * failed.
 */
export interface JudgeQuality {
  readonly sensitivity: number;
  readonly humanPassed: number;
  readonly specificity: number;
  readonly humanFailed: number;
}

/**
 * Corrects the pass rate `judgedRate` among `total` for the judge's errors; returns it with its 95 % interval (C. Lee
 * and others, How to Correctly Report LLM-as-a-Judge Evaluations, 2026). Undefined for a judge no better than chance.
 */
export function correctedRate(judgedRate: number, total: number, judge: JudgeQuality): Estimate | undefined {
  const { sensitivity, humanPassed, specificity, humanFailed } = judge;
  const information = sensitivity + specificity - 1;
  if (information <= 0 || total === 0) return undefined;
  const value = clip((judgedRate + specificity - 1) / information);
  const rate = (total * judgedRate + z ** 2 / 2) / (total + z ** 2);
  const sensitive = (humanPassed * sensitivity + 1) / (humanPassed + 2);
  const specific = (humanFailed * specificity + 1) / (humanFailed + 2);
  const smoothed = sensitive + specific - 1;
  if (smoothed <= 0) return undefined;
  const corrected = (rate + specific - 1) / smoothed;
  const ofSensitivity = (sensitive * (1 - sensitive)) / (humanPassed + 2);
  const ofSpecificity = (specific * (1 - specific)) / (humanFailed + 2);
  const center = corrected + 2 * z ** 2 * (corrected * ofSensitivity - (1 - corrected) * ofSpecificity);
  const error =
    Math.sqrt(
      (rate * (1 - rate)) / (total + z ** 2) + (1 - corrected) ** 2 * ofSpecificity + corrected ** 2 * ofSensitivity,
    ) / smoothed;
  return { value, low: clip(center - z * error), high: clip(center + z * error) };
}

const clip = (rate: number) => Math.min(1, Math.max(0, rate));
