// 95 % intervals, computed differently than in the product.

import { type Rational, toNumber } from "./rational.ts";

export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly n: number;
}

const z = 1.959963984540054;

/** Wilson's interval: rates exactly z standard errors from the observed rate, as roots of a quadratic equation. */
export function rateInterval(values: readonly boolean[]): Interval | null {
  const n = values.length;
  if (n === 0) return null;
  const seen = values.filter(Boolean).length / n;
  const [a, b, c] = [1 + z ** 2 / n, -(2 * seen + z ** 2 / n), seen ** 2];
  const root = Math.sqrt(Math.max(0, b ** 2 - 4 * a * c));
  return { low: (-b - root) / (2 * a), high: (-b + root) / (2 * a), n };
}

/** Returns the interval of the mean, computed from exact numbers in two passes. */
export function meanInterval(values: readonly Rational[]): Interval | null {
  const n = values.length;
  if (n < 2) return null;
  // Denominators are powers of ten.
  let bottom = 1n;
  for (const value of values) if (value.bottom > bottom) bottom = value.bottom;
  const tops = values.map((value) => value.top * (bottom / value.bottom));
  const sum = tops.reduce((total, top) => total + top, 0n);
  const squares = tops.reduce((total, top) => total + (BigInt(n) * top - sum) ** 2n, 0n);
  if (squares === 0n) return null;
  const mean = { top: sum, bottom: bottom * BigInt(n) };
  const standardError = Math.sqrt(toNumber({ top: squares, bottom: BigInt(n) ** 3n * BigInt(n - 1) * bottom ** 2n }));
  const half = quantile(n - 1) * standardError;
  return { low: toNumber(mean) - half, high: toNumber(mean) + half, n };
}

const quantiles = new Map<number, number>();

/** Student's t is the tangent of an angle; the angle's density is a power of its cosine. */
function quantile(degrees: number): number {
  const cached = quantiles.get(degrees);
  if (cached !== undefined) return cached;
  const all = area(Math.PI / 2, degrees);
  let [low, high] = [0, Math.PI / 2];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (area(middle, degrees) < 0.95 * all) low = middle;
    else high = middle;
  }
  const found = Math.sqrt(degrees) * Math.tan(low);
  quantiles.set(degrees, found);
  return found;
}

const parts = 2_000;

/** Integrates the density by Simpson's rule. */
function area(to: number, degrees: number): number {
  let sum = 0;
  for (let at = 0; at <= parts; at++) {
    const weight = at === 0 || at === parts ? 1 : at % 2 === 1 ? 4 : 2;
    sum += weight * Math.cos((to * at) / parts) ** (degrees - 1);
  }
  return (sum * to) / parts / 3;
}
