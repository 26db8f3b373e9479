// Computes measures of tasks from sums of their results. Pure. For filters, catalog.find_measured_tasks computes them
// in SQL with the same formulas.

import { wilson } from "@ems/kit/statistics";

/** Sums of a task's results. Scores are in quarters of a millionth, on the scale from 0 to 1. */
export interface Sums {
  readonly tests: number;
  readonly testsPassed: number;
  readonly evaluations: number;
  readonly evaluationsPassed: number;
  readonly scores: number;
  readonly scoreSum: bigint;
  readonly scoreSquares: bigint;
  /** Number of tests, or evaluations of one definition, without the verdict that was due. */
  readonly errored: number;
}

export type Level = "HIGH" | "MEDIUM" | "LOW";

const scoreUnit = 4_000_000;

/** Maximum half width of the confidence interval for each level of confidence, in percentage points. */
const confidenceBounds = { HIGH: 5, MEDIUM: 15 } as const;
/** Maximum standard deviation for each level of stability. */
const stabilityBounds = { HIGH: 0.1, MEDIUM: 0.25 } as const;

const points: Readonly<Record<Level, number>> = { HIGH: 100, MEDIUM: 50, LOW: 0 };
const healthWeights = { passRate: 0.6, confidence: 0.2, stability: 0.2 } as const;

export const noSums: Sums = {
  tests: 0,
  testsPassed: 0,
  evaluations: 0,
  evaluationsPassed: 0,
  scores: 0,
  scoreSum: 0n,
  scoreSquares: 0n,
  errored: 0,
};

export function addSums(a: Sums, b: Sums): Sums {
  return {
    tests: a.tests + b.tests,
    testsPassed: a.testsPassed + b.testsPassed,
    evaluations: a.evaluations + b.evaluations,
    evaluationsPassed: a.evaluationsPassed + b.evaluationsPassed,
    scores: a.scores + b.scores,
    scoreSum: a.scoreSum + b.scoreSum,
    scoreSquares: a.scoreSquares + b.scoreSquares,
    errored: a.errored + b.errored,
  };
}

export interface Measures {
  readonly confidence: {
    readonly halfWidth: number;
    readonly interval: { readonly lower: number; readonly upper: number };
    readonly level: Level;
  };
  readonly evaluations: number;
  readonly healthScore: number | null;
  readonly passed: number;
  readonly passRate: number | null;
  readonly recommendedAdditionalEvaluations: number;
  readonly stability: { readonly level: Level; readonly stddev: number | null };
  readonly tests: number;
  readonly testsPassed: number;
  readonly errored: number;
}

export function measures(sums: Sums): Measures {
  const { tests, testsPassed, evaluations, evaluationsPassed } = sums;
  const confidence = rateConfidence(tests, testsPassed);
  const stability = rateStability(sums);
  const passRate = tests === 0 ? null : (100 * testsPassed) / tests;
  return {
    confidence,
    evaluations,
    healthScore:
      passRate === null || confidence.level === "LOW"
        ? null
        : healthWeights.passRate * passRate +
          healthWeights.confidence * points[confidence.level] +
          healthWeights.stability * points[stability.level],
    passed: evaluationsPassed,
    passRate,
    recommendedAdditionalEvaluations: testsUntilHigh(tests, testsPassed) - tests,
    stability,
    tests,
    testsPassed,
    errored: sums.errored,
  };
}

function rateConfidence(tests: number, passed: number): Measures["confidence"] {
  if (tests === 0) return { halfWidth: 50, interval: { lower: 0, upper: 100 }, level: "LOW" };
  const { center, half } = wilson(passed / tests, tests);
  const interval = { lower: percent(center - half), upper: percent(center + half) };
  return { halfWidth: 100 * half, interval, level: levelUpTo(100 * half, confidenceBounds) };
}

/** Returns the smallest number of tests that gives HIGH confidence at this pass rate. */
function testsUntilHigh(tests: number, passed: number): number {
  const rate = tests === 0 ? 0.5 : passed / tests;
  const isHigh = (n: number) => 100 * wilson(rate, n).half <= confidenceBounds.HIGH;
  if (tests > 0 && isHigh(tests)) return tests;
  // Bisection works, because the half width decreases as n grows.
  let [low, high] = [tests, Math.max(tests, 1)];
  while (!isHigh(high)) high *= 2;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isHigh(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Rates stability by the sample standard deviation. Compares squares as integers, which are exact. */
function rateStability({ scores, scoreSum, scoreSquares }: Sums): Measures["stability"] {
  if (scores < 2) return { level: "LOW", stddev: null };
  const squares = BigInt(scores) * scoreSquares - scoreSum * scoreSum;
  const pairs = BigInt(scores) * BigInt(scores - 1);
  const isUpTo = (bound: number) => squares <= BigInt(bound * scoreUnit) ** 2n * pairs;
  const level = isUpTo(stabilityBounds.HIGH) ? "HIGH" : isUpTo(stabilityBounds.MEDIUM) ? "MEDIUM" : "LOW";
  return { level, stddev: Math.sqrt(Number(squares) / Number(pairs)) / scoreUnit };
}

function levelUpTo(value: number, bounds: { readonly HIGH: number; readonly MEDIUM: number }): Level {
  if (value <= bounds.HIGH) return "HIGH";
  return value <= bounds.MEDIUM ? "MEDIUM" : "LOW";
}

function percent(share: number): number {
  return 100 * Math.min(Math.max(share, 0), 1);
}
