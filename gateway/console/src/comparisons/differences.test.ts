import { expect, test } from "vitest";
import type { Difference } from "./comparison-requests.ts";
import { computeScale, describeDifference } from "./differences.ts";

const difference = (change: Partial<Difference>): Difference => ({
  averageScore: null,
  commonTasks: 40,
  mcnemarP: null,
  method: "paired",
  summary: "The API's summary.",
  passRate: { value: 0.12, low: 0.05, high: 0.19, p: 0.001, adjustedP: 0.001 },
  smallestDetectable: 0.1,
  tasksNeeded: 90,
  notCompared: null,
  verdict: "better",
  ...change,
});
const rates = (value: number, low: number | null, high: number | null) => ({
  value,
  low,
  high,
  p: null,
  adjustedP: null,
});

test.each<[string, Partial<Difference>]>([
  ["Better by 12 points at 40 common tasks.", {}],
  ["Worse by 0.4 points at 40 common tasks.", { verdict: "worse", passRate: rates(-0.004, -0.006, -0.002) }],
  [
    "No evidence of a difference at 40 common tasks (smallest detectable: 12 points).",
    { verdict: "no_evidence", smallestDetectable: 0.12 },
  ],
  ["The API's summary.", { verdict: "no_evidence", smallestDetectable: null }],
  ["The API's summary.", { verdict: "too_few_tasks" }],
  ["The API's summary.", { verdict: "not_comparable" }],
  ["The API's summary.", { notCompared: { baseline: null, variant: null, tasks: 2 } }],
  ["The API's summary.", { method: "unpaired", commonTasks: 0 }],
  ["The API's summary.", { passRate: null }],
])("%s", (sentence, change) => {
  expect(describeDifference(difference(change))).toBe(sentence);
});

test.each([
  [0.05, []],
  [0.05, [null]],
  [0.05, [rates(0, null, null)]],
  [0.2, [rates(0.12, 0.05, 0.19)]],
  [0.35, [rates(0.12, 0.05, 0.19), rates(-0.2, -0.31, -0.1)]],
  [1, [rates(1, null, null)]],
])("the scale ends at %s for %j", (scale, all) => {
  const differences = all.map((passRate) => passRate && difference({ passRate }));
  expect(computeScale(differences)).toBeCloseTo(scale);
});
