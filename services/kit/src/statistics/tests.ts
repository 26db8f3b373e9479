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
