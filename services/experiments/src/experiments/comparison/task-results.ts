// Results of one task on one side, with rates, means and their confidence intervals. Pure.

import { type Cluster, type ConfidenceInterval, clusteredMean, rateInterval } from "@ems/kit/statistics";

/** Results of all tests of a task, or of its evaluations by one definition. */
export interface TaskResults {
  readonly taskId: string;
  /** Number of judged tests. */
  readonly tests: number;
  readonly passed: number;
  /** Number of tests without the verdict that was due. */
  readonly errored: number;
  /** Number of tests that ended and need no verdict. */
  readonly none: number;
  /** Cause of the errors; the first by order of causes if there are several. */
  readonly cause: ErrorCause | undefined;
  /** Scores, each scaled to 0 to 1. */
  readonly scores: Cluster;
}

export type ErrorCause = "application" | "configuration" | "judge";

/** A rate or mean with its 95 % interval; the interval is undefined if the values do not allow one. */
export interface Estimate {
  readonly value: number;
  readonly interval: ConfidenceInterval | undefined;
}

/**
 * Returns the share of tests that passed. If each task has one test, the interval is Wilson's. Otherwise tests of one
 * task are correlated, so the standard error is clustered by task. If all or none passed, the interval is Wilson's over
 * tasks.
 */
export function passRate(side: readonly TaskResults[]): Estimate | undefined {
  const filled = side.filter(({ tests }) => tests > 0);
  const [tests, passed] = [total(filled, "tests"), total(filled, "passed")];
  if (tests === 0) return undefined;
  const value = passed / tests;
  if (tests === filled.length) return { value, interval: rateInterval(passed, tests) };
  if (passed === 0 || passed === tests) return { value, interval: rateInterval(value * filled.length, filled.length) };
  const interval = clusteredMean(filled.map((task) => ({ count: task.tests, sum: task.passed })))?.interval;
  return { value, interval: interval && { low: Math.max(0, interval.low), high: Math.min(1, interval.high) } };
}

/** Returns the mean and its interval; values of the same task are correlated. */
export function mean(clusters: readonly Cluster[]): Estimate | undefined {
  const found = clusteredMean(clusters);
  return found && { value: found.value, interval: found.interval };
}

export const total = (side: readonly TaskResults[], name: "tests" | "passed" | "errored" | "none") =>
  side.reduce((sum, task) => sum + task[name], 0);
