// Intervals of 95 %: of rates by Wilson, of their difference by Newcombe, of means by Student's t.

import { tQuantile, z } from "./student-t.ts";

export interface ConfidenceInterval {
  readonly low: number;
  readonly high: number;
}

/** How many passed among how many. */
export interface Passes {
  readonly passed: number;
  readonly total: number;
}

/** Of the rate of `passed` among `total`; undefined of none. */
export function rateInterval(passed: number, total: number): ConfidenceInterval | undefined {
  if (total === 0) return undefined;
  const { center, half } = wilson(passed / total, total);
  // Rounding must not lead out of the range, nor away from what was seen.
  return {
    low: passed === 0 ? 0 : Math.max(0, center - half),
    high: passed === total ? 1 : Math.min(1, center + half),
  };
}

/** Wilson's interval of a rate among `total`, before it is cut at 0 and 1. */
export function wilson(rate: number, total: number): { readonly center: number; readonly half: number } {
  const shrink = 1 + z ** 2 / total;
  return {
    center: (rate + z ** 2 / (2 * total)) / shrink,
    half: (z * Math.sqrt((rate * (1 - rate)) / total + z ** 2 / (4 * total ** 2))) / shrink,
  };
}

/** Of the rate of `a` less that of `b`, which have no item in common (Newcombe's tenth method); undefined where one has none. */
export function rateDifferenceInterval(a: Passes, b: Passes): ConfidenceInterval | undefined {
  const [ofA, ofB] = [rateInterval(a.passed, a.total), rateInterval(b.passed, b.total)];
  if (ofA === undefined || ofB === undefined) return undefined;
  const [rateA, rateB] = [a.passed / a.total, b.passed / b.total];
  return {
    low: rateA - rateB - Math.hypot(rateA - ofA.low, ofB.high - rateB),
    high: rateA - rateB + Math.hypot(ofA.high - rateA, rateB - ofB.low),
  };
}

/** Of a mean with its standard error; undefined where nothing varies. */
export function meanInterval(
  mean: number,
  standardError: number,
  degreesOfFreedom: number,
): ConfidenceInterval | undefined {
  if (degreesOfFreedom < 1 || standardError === 0) return undefined;
  const half = tQuantile(degreesOfFreedom) * standardError;
  return { low: mean - half, high: mean + half };
}
