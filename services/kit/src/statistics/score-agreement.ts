// Agreement of two raters' scores on one scale, such as those of a judge and of people.

import type { Estimate } from "./agreement.ts";
import { z } from "./student-t.ts";

/** Scores of the same item by the first and the second rater. */
export type ScorePair = readonly [first: number, second: number];

/**
 * Kappa with quadratic weights and its 95 % interval (standard error by Fleiss, Cohen and Everitt, 1969). Each distinct
 * score is a category. Undefined if all scores are the same.
 */
export function weightedKappa(pairs: readonly ScorePair[]): Estimate | undefined {
  const [first, second] = [moments(pairs.map(([score]) => score)), moments(pairs.map(([, score]) => score))];
  // Means of squared differences: observed, and of all combinations of the two raters' scores.
  const observed = mean(pairs.map(([a, b]) => (a - b) ** 2));
  const expected = first.variance + second.variance + (first.mean - second.mean) ** 2;
  if (pairs.length === 0 || expected === 0) return undefined;
  const value = 1 - observed / expected;
  const terms = pairs.map(([a, b]) => {
    // Mean difference of each score of the pair from all scores of the other rater.
    const ofFirst = second.variance + (a - second.mean) ** 2;
    const ofSecond = first.variance + (b - first.mean) ** 2;
    return ((a - b) ** 2 * expected - (ofFirst + ofSecond) * observed) ** 2;
  });
  const variance = (mean(terms) - (observed * expected) ** 2) / (expected ** 4 * pairs.length);
  const half = z * Math.sqrt(Math.max(0, variance));
  return { value, low: value - half, high: value + half };
}

/**
 * Pearson's correlation with its 95 % interval (Fisher's transformation). Undefined for fewer than four pairs, and if a
 * rater always gives the same score.
 */
export function correlation(pairs: readonly ScorePair[]): Estimate | undefined {
  const [first, second] = [moments(pairs.map(([score]) => score)), moments(pairs.map(([, score]) => score))];
  if (pairs.length < 4 || first.variance === 0 || second.variance === 0) return undefined;
  const covariance = mean(pairs.map(([a, b]) => (a - first.mean) * (b - second.mean)));
  const value = Math.min(1, Math.max(-1, covariance / Math.sqrt(first.variance * second.variance)));
  const half = z / Math.sqrt(pairs.length - 3);
  return { value, low: Math.tanh(Math.atanh(value) - half), high: Math.tanh(Math.atanh(value) + half) };
}

function moments(values: readonly number[]) {
  const center = mean(values);
  return { mean: center, variance: mean(values.map((value) => (value - center) ** 2)) };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
