// Student's t. Implemented here because the library with its quantile (@stdlib) installs 230 packages; compared with
// scipy's values.

/** Quantile of the normal distribution for a two-sided 95 % interval. */
export const z = 1.959963984540054;
const alpha = 0.05;

/**
 * Probability that Student's t with these degrees of freedom (above 0) is at least as far from 0 as `t`, on either
 * side.
 */
export function twoSidedP(t: number, degreesOfFreedom: number): number {
  if (!Number.isFinite(t)) return Number.isNaN(t) ? Number.NaN : 0;
  const square = t ** 2;
  const x = degreesOfFreedom / (degreesOfFreedom + square);
  // Equals 1 - x, but without the cancellation error for a small t.
  const rest = square / (degreesOfFreedom + square);
  return incompleteBeta(x, rest, degreesOfFreedom / 2);
}

const quantiles = new Map<number, number>();
const quantilesMax = 10_000;
/** Degrees of freedom from which the series is exact to a double's precision. */
const seriesMin = 1_000;

/** Quantile of Student's t for a two-sided 95 % interval, for degrees of freedom from 1. */
export function tQuantile(degreesOfFreedom: number): number {
  if (degreesOfFreedom >= seriesMin) return seriesQuantile(degreesOfFreedom);
  const cached = quantiles.get(degreesOfFreedom);
  if (cached !== undefined) return cached;
  let [low, high] = [z, 13];
  while (true) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (twoSidedP(middle, degreesOfFreedom) > alpha) low = middle;
    else high = middle;
  }
  if (quantiles.size < quantilesMax) quantiles.set(degreesOfFreedom, high);
  return high;
}

/** Cornish-Fisher expansion around the normal quantile. */
function seriesQuantile(n: number): number {
  const [z3, z5, z7, z9] = [z ** 3, z ** 5, z ** 7, z ** 9];
  return (
    z +
    (z3 + z) / (4 * n) +
    (5 * z5 + 16 * z3 + 3 * z) / (96 * n ** 2) +
    (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n ** 3) +
    (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / (92_160 * n ** 4)
  );
}

/** The regularized incomplete beta function of a and 1/2 at x, with rest = 1 - x. */
function incompleteBeta(x: number, rest: number, a: number): number {
  if (x === 0) return 0;
  if (rest === 0) return 1;
  const front = (x ** a * Math.sqrt(rest)) / beta(a);
  // Below the mean the continued fraction converges fast; above it, use the fraction for the other tail.
  return x < (a + 1) / (a + 2.5) ? (front * fraction(x, a, 0.5)) / a : 1 - (front * fraction(rest, 0.5, a)) / 0.5;
}

/**
 * The beta function of a and 1/2, by its expansion for large a (Abramowitz and Stegun, 6.1.47); smaller values are
 * shifted up.
 */
function beta(a: number): number {
  let [n, raised] = [a, 1];
  for (; n < 100; n++) raised *= (n + 0.5) / n;
  const ratio =
    Math.sqrt(n) *
    (1 - 1 / (8 * n) + 1 / (128 * n ** 2) + 5 / (1_024 * n ** 3) - 21 / (32_768 * n ** 4) - 399 / (262_144 * n ** 5));
  return (Math.sqrt(Math.PI) * raised) / ratio;
}

const fractionTerms = 100_000;

/** The continued fraction of the incomplete beta function (Abramowitz and Stegun, 26.5.8), by Lentz's method. */
function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1), tiny);
  let value = d;
  for (let m = 1; m < fractionTerms; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d, tiny);
    c = nonZero(1 + even / c, tiny);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d, tiny);
    c = nonZero(1 + odd / c, tiny);
    value *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return value;
}

const nonZero = (value: number, tiny: number) => (Math.abs(value) < tiny ? tiny : value);
