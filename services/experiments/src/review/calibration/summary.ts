// Summarizes a calibration in one or two sentences.

import type { Estimate } from "@ems/kit/statistics";
import { calibrationTracesMin } from "@ems/proto/limits";
import type { Measures, Quality } from "./calibrate.ts";

const two = (value: number) => value.toFixed(2);
const range = ({ value, low, high }: Estimate) => `${two(value)} (${two(low)} to ${two(high)})`;

export function formatSummary(quality: Quality, kappaFloor: number): string {
  const { humanPassed, humanFailed, measures, judgedPassRate } = quality;
  if (measures === undefined) return tooFew(humanPassed, humanFailed);
  return [formatAgreement(measures, kappaFloor), formatRate(measures, judgedPassRate)].join(" ");
}

function tooFew(passed: number, failed: number): string {
  const [pass, fail] = [passed, failed].map((count) => Math.max(0, calibrationTracesMin - count));
  const missing = [pass && `${pass} that people pass`, fail && `${fail} that people fail`].filter((part) => part !== 0);
  return (
    `Not enough annotations: of the traces that this judge judged, people passed ${passed} and failed ${failed}; ` +
    `${calibrationTracesMin} of each are needed. Missing: ${missing.join(" and ")}.`
  );
}

function formatAgreement({ kappa }: Measures, kappaFloor: number): string {
  if (kappa === undefined)
    return "The judge or people always decide the same: agreement cannot be distinguished from chance.";
  if (kappa.value < kappaFloor)
    return `Do not rely on this judge: its kappa with people is ${range(kappa)}, below ${two(kappaFloor)}.`;
  return `The judge agrees with people: kappa ${range(kappa)}.`;
}

function formatRate({ correctedPassRate, sensitivity, specificity }: Measures, judged: Estimate | undefined): string {
  if (judged === undefined) return "It has no evaluations in this time range: there is no pass rate to correct.";
  if (correctedPassRate === undefined) {
    const errors = `sensitivity ${two(sensitivity.value)}, specificity ${two(specificity.value)}`;
    return `The judge is no better than chance (${errors}): its pass rate cannot be corrected.`;
  }
  return `Corrected for its errors, the pass rate is ${range(correctedPassRate)}; uncorrected it is ${two(judged.value)}.`;
}
