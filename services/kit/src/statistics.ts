// Intervals of 95 %: of rates by Wilson, of means by Student's t. Our own, since the library that has t's quantile
// (@stdlib) brings 230 packages; compared with statsmodels' values.

export interface ConfidenceInterval {
  readonly low: number;
  readonly high: number;
}

/** The normal distribution's quantile of a two-sided 95 % interval. */
const z = 1.959963984540054;
const level = 0.95;

/** Of the rate of `passed` among `total`; undefined of none. */
export function rateInterval(passed: number, total: number): ConfidenceInterval | undefined {
  if (total === 0) return undefined;
  const rate = passed / total;
  const shrink = 1 + z ** 2 / total;
  const center = (rate + z ** 2 / (2 * total)) / shrink;
  const half = (z * Math.sqrt((rate * (1 - rate)) / total + z ** 2 / (4 * total ** 2))) / shrink;
  // Rounding must not lead out of the range, nor away from what was seen.
  return {
    low: passed === 0 ? 0 : Math.max(0, center - half),
    high: passed === total ? 1 : Math.min(1, center + half),
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

const quantiles = new Map<number, number>();
const quantilesMax = 10_000;
/** From here on the series is exact to a double's digits. */
const seriesMin = 1_000;

/** Student's t that a two-sided 95 % interval has, of whole degrees of freedom from 1. */
export function tQuantile(degreesOfFreedom: number): number {
  if (degreesOfFreedom >= seriesMin) return seriesQuantile(degreesOfFreedom);
  const cached = quantiles.get(degreesOfFreedom);
  if (cached !== undefined) return cached;
  let [low, high] = [z, 13];
  while (true) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (within(middle, degreesOfFreedom) < level) low = middle;
    else high = middle;
  }
  if (quantiles.size < quantilesMax) quantiles.set(degreesOfFreedom, high);
  return high;
}

/** Fisher and Cornish's expansion around the normal quantile. */
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

/** The share of t's distribution from -t to t, as a finite sum (Abramowitz and Stegun, 26.7.3 and 26.7.4). */
function within(t: number, n: number): number {
  const angle = Math.atan(t / Math.sqrt(n));
  const cosine = Math.cos(angle);
  const isOdd = n % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = n === 1 ? 0 : term;
  for (let k = isOdd ? 3 : 2; k < n - 1; k += 2) {
    term *= ((k - 1) / k) * cosine ** 2;
    sum += term;
  }
  return isOdd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
}
