// Means and their errors. A cluster is a group of dependent values, such as the results of one task's repeated tests.

import { type ConfidenceInterval, meanInterval } from "./intervals.ts";
import { twoSidedP } from "./student-t.ts";

export interface Mean {
  readonly value: number;
  readonly standardError: number;
  readonly degreesOfFreedom: number;
  /** 95 % interval; undefined without variance, or with fewer than two clusters. */
  readonly interval: ConfidenceInterval | undefined;
  /** Two-sided p value for a mean of 0; undefined with fewer than two clusters. */
  readonly p: number | undefined;
}

/** Number and sum of a cluster's values. */
export interface Cluster {
  readonly count: number;
  readonly sum: number;
}

/** Mean of all values, whose error treats values of one cluster as dependent (CR1). Undefined without values. */
export function clusteredMean(clusters: readonly Cluster[]): Mean | undefined {
  const filled = clusters.filter(({ count }) => count > 0);
  const count = filled.reduce((sum, cluster) => sum + cluster.count, 0);
  if (count === 0) return undefined;
  const value = filled.reduce((sum, cluster) => sum + cluster.sum, 0) / count;
  const squares = filled.reduce((sum, cluster) => sum + (cluster.sum - cluster.count * value) ** 2, 0);
  return toMean(value, Math.sqrt((squares * filled.length) / (filled.length - 1)) / count, filled.length - 1);
}

/**
 * Mean of `a` minus mean of `b`, which have no item in common (Welch). Undefined if either has fewer than two values.
 */
export function meanDifference(a: readonly number[], b: readonly number[]): Mean | undefined {
  if (a.length < 2 || b.length < 2) return undefined;
  const [ofA, ofB] = [getMoments(a), getMoments(b)];
  const [errorA, errorB] = [ofA.variance / a.length, ofB.variance / b.length];
  const error = errorA + errorB;
  const degreesOfFreedom =
    error === 0 ? a.length + b.length - 2 : error ** 2 / (errorA ** 2 / (a.length - 1) + errorB ** 2 / (b.length - 1));
  return toMean(ofA.mean - ofB.mean, Math.sqrt(error), degreesOfFreedom);
}

/** Mean and sample variance of at least two values. */
function getMoments(values: readonly number[]): { mean: number; variance: number } {
  const mean = values.reduce(add, 0) / values.length;
  return { mean, variance: values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (values.length - 1) };
}

function toMean(value: number, error: number, degreesOfFreedom: number): Mean {
  if (degreesOfFreedom < 1) {
    return { value, standardError: 0, degreesOfFreedom: 0, interval: undefined, p: undefined };
  }
  // A rounding error of equal values is not variance.
  const standardError = error <= 1e-12 * Math.abs(value) ? 0 : error;
  const p = value === 0 ? 1 : twoSidedP(value / standardError, degreesOfFreedom);
  return {
    value,
    standardError,
    degreesOfFreedom,
    interval: meanInterval(value, standardError, degreesOfFreedom),
    p,
  };
}

const add = (a: number, b: number) => a + b;
