// 95 % intervals: of rates by Wilson, of their difference by Newcombe, of means by Student's t.

import { tQuantile, z } from "./student-t.ts";

export interface ConfidenceInterval {
  readonly low: number;
  readonly high: number;
}

/** Number of passed items and of all items. */
export interface Passes {
  readonly passed: number;
  readonly total: number;
}

/** Interval of the rate of `passed` among `total`; undefined without items. */
export function rateInterval(passed: number, total: number): ConfidenceInterval | undefined {
  if (total === 0) return undefined;
  const { center, half } = wilson(passed / total, total);
  // Rounding must not take the bounds out of the range 0 to 1, nor exclude the observed rate.
  return {
    low: passed === 0 ? 0 : Math.max(0, center - half),
    high: passed === total ? 1 : Math.min(1, center + half),
  };
}

/** Wilson's interval of a rate among `total`, before it is limited to 0 to 1. */
export function wilson(rate: number, total: number): { readonly center: number; readonly half: number } {
  const shrink = 1 + z ** 2 / total;
  return {
    center: (rate + z ** 2 / (2 * total)) / shrink,
    half: (z * Math.sqrt((rate * (1 - rate)) / total + z ** 2 / (4 * total ** 2))) / shrink,
  };
}

/**
 * Interval of the rate of `a` minus the rate of `b`, which have no item in common (Newcombe's method 10); undefined if
 * either has no items.
 */
export function rateDifferenceInterval(a: Passes, b: Passes): ConfidenceInterval | undefined {
  const [ofA, ofB] = [rateInterval(a.passed, a.total), rateInterval(b.passed, b.total)];
  if (ofA === undefined || ofB === undefined) return undefined;
  const [rateA, rateB] = [a.passed / a.total, b.passed / b.total];
  return {
    low: rateA - rateB - Math.hypot(rateA - ofA.low, ofB.high - rateB),
    high: rateA - rateB + Math.hypot(ofA.high - rateA, rateB - ofB.low),
  };
}

/** Interval of a mean with its standard error; undefined without variance. */
export function meanInterval(
  mean: number,
  standardError: number,
  degreesOfFreedom: number,
): ConfidenceInterval | undefined {
  if (degreesOfFreedom < 1 || standardError === 0) return undefined;
  const half = tQuantile(degreesOfFreedom) * standardError;
  return { low: mean - half, high: mean + half };
}
