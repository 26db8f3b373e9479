// Hypothesis tests other than t-tests.

/** McNemar's exact p for items that changed sides: the numbers of items that only one side passed. */
export function mcnemarP(onlyA: number, onlyB: number): number {
  const changed = onlyA + onlyB;
  const fewer = Math.min(onlyA, onlyB);
  // Sums the terms of the binomial distribution from the largest down, so that they do not underflow.
  let [term, sum, all] = [1, 0, 0];
  const middle = Math.floor(changed / 2);
  for (let k = middle; k >= 0; k--) {
    if (k <= fewer) sum += term;
    all += (changed - k === k ? 1 : 2) * term;
    term *= k / (changed - k + 1);
  }
  return Math.min(1, (2 * sum) / all);
}

/** Fisher's exact two-sided p for two groups: numbers of items in each group that have a property, and that do not. */
export function fisherP(withA: number, withoutA: number, withB: number, withoutB: number): number {
  const [sizeA, sizeB, all] = [withA + withoutA, withB + withoutB, withA + withB];
  const [low, high] = [Math.max(0, all - sizeB), Math.min(all, sizeA)];
  // Logarithms of the hypergeometric probabilities, relative to the first, by the ratio of neighbors.
  const logs = [0];
  for (let k = low; k < high; k++) {
    const ratio = ((sizeA - k) * (all - k)) / ((k + 1) * (sizeB - all + k + 1));
    logs.push((logs.at(-1) ?? 0) + Math.log(ratio));
  }
  const greatest = logs.reduce((a, b) => Math.max(a, b), 0);
  const weights = logs.map((log) => Math.exp(log - greatest));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  // A tolerance for rounding, as usual for this test.
  const limit = (weights[withA - low] ?? 0) * (1 + 1e-7);
  return Math.min(1, weights.reduce((sum, weight) => (weight <= limit ? sum + weight : sum), 0) / total);
}

/** Returns Holm's adjusted p values, in the given order, for tests that are made together. */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  const adjusted = new Array<number>(ps.length);
  let highest = 0;
  for (const [rank, { p, index }] of order.entries()) {
    highest = Math.max(highest, Math.min(1, p * (ps.length - rank)));
    adjusted[index] = highest;
  }
  return adjusted;
}
