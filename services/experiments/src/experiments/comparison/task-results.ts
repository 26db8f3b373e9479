// What a side has of one task, and its rate and means with their intervals. Pure.

import { type Cluster, type ConfidenceInterval, clusteredMean, rateInterval } from "@ems/kit/statistics";

/** Of all tests, or of the evaluations by one definition. */
export interface TaskResults {
  readonly taskId: string;
  /** How many count; of them those that passed, and those that failed with an error. */
  readonly tests: number;
  readonly passed: number;
  readonly errored: number;
  /** From 0 to 1. */
  readonly scores: Cluster;
}

/** A rate or mean with its interval of 95 %, which is undefined where the values say nothing of it. */
export interface Estimate {
  readonly value: number;
  readonly interval: ConfidenceInterval | undefined;
}

/**
 * The share of tests that passed, by Wilson where each task has one. Repeats of a task depend on each other: then its error is
 * clustered by task, and where all or none passed, the interval is Wilson's of the tasks.
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

/** The mean of values that depend on each other within a task. */
export function mean(clusters: readonly Cluster[]): Estimate | undefined {
  const found = clusteredMean(clusters);
  return found && { value: found.value, interval: found.interval };
}

export const total = (side: readonly TaskResults[], name: "tests" | "passed" | "errored") =>
  side.reduce((sum, task) => sum + task[name], 0);
