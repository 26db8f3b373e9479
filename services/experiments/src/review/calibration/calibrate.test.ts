import { expect, test } from "vitest";
import { calibrate, type JudgeCounts } from "./calibrate.ts";
import { formatSummary } from "./summary.ts";

const counts = (bothPass: number, onlyJudgePasses: number, onlyHumanPasses: number, bothFail: number): JudgeCounts => ({
  confusion: { bothPass, onlyJudgePasses, onlyHumanPasses, bothFail },
  evaluations: 1_000,
  passed: 700,
});
const summary = (of: JudgeCounts) => formatSummary(calibrate(of), 0.4);

test("a judge is measured from 20 passed and 20 failed traces; with 19 the summary says what is missing", () => {
  expect(calibrate(counts(18, 2, 2, 18)).measures).toMatchObject({
    sensitivity: { value: 0.9 },
    specificity: { value: 0.9 },
    kappa: { value: 0.8 },
  });
  for (const [few, missing] of [
    [counts(18, 2, 1, 18), "1 that people pass"],
    [counts(18, 1, 2, 18), "1 that people fail"],
    [counts(9, 3, 1, 0), "10 that people pass and 17 that people fail"],
    [counts(0, 0, 0, 0), "20 that people pass and 20 that people fail"],
  ] as const) {
    expect(calibrate(few)).toMatchObject({ judgedPassRate: { value: 0.7 } });
    expect(calibrate(few).measures).toBeUndefined();
    expect(summary(few)).toMatch(/^Not enough annotations: .*; 20 of each are needed\./);
    expect(summary(few)).toContain(`Missing: ${missing}.`);
  }
});

test.each([
  [
    "a judge that agrees",
    counts(90, 20, 10, 80),
    /^The judge agrees with people: kappa 0\.70 \(0\.60 to 0\.80\)\. Corrected .* the pass rate is 0\.71 /,
  ],
  [
    "a judge below the floor",
    counts(60, 40, 40, 60),
    /^Do not rely on this judge: its kappa with people is 0\.20 \(.*\), below 0\.40\. Corrected/,
  ],
  [
    "a judge that is random",
    counts(25, 25, 25, 25),
    /The judge is no better than chance \(sensitivity 0\.50, specificity 0\.50\)/,
  ],
  [
    "a judge that always passes",
    counts(40, 30, 0, 0),
    /^The judge or people always decide the same.* no better than chance/,
  ],
  [
    "a judge that always errs",
    counts(0, 30, 30, 0),
    /^Do not rely on this judge: its kappa with people is -1\.00.* no better than chance/,
  ],
  [
    "a perfect judge",
    counts(40, 0, 0, 40),
    /^The judge agrees with people: kappa 1\.00 \(1\.00 to 1\.00\)\. .* the pass rate is 0\.70 /,
  ],
  [
    "no evaluations in this time",
    { ...counts(40, 5, 5, 40), evaluations: 0, passed: 0 },
    /no evaluations in this time/,
  ],
] as const)("the summary of %s", (_, of, expected) => {
  expect(summary(of)).toMatch(expected);
});

test("a judge no better than chance has no corrected rate, and one that always passes has no kappa", () => {
  expect(calibrate(counts(25, 25, 25, 25)).measures).toMatchObject({ correctedPassRate: undefined });
  expect(calibrate(counts(40, 30, 0, 0)).measures).toMatchObject({ kappa: undefined, correctedPassRate: undefined });
});
