// Pure: decides which thresholds of a budget to announce.

/** Thresholds in percent of the budget, largest first. */
const thresholds = [100, 80] as const;

/** Returns the largest threshold that the spend has reached; 0 if none. */
export function getShare(spent: bigint, budget: bigint): number {
  return thresholds.find((share) => spent * 100n >= budget * BigInt(share)) ?? 0;
}

/** Returns the thresholds above the last announced one and up to the reached one, smallest first. */
export function newShares(notified: number, reached: number): number[] {
  return thresholds.filter((share) => share > notified && share <= reached).reverse();
}

const millionths = 1_000_000;

/** Returns the part of the uncertain spend that counts, rounded up. */
export function countedShare(uncertain: bigint, share: number): bigint {
  const scaled = uncertain * BigInt(Math.round(share * millionths));
  return (scaled + BigInt(millionths - 1)) / BigInt(millionths);
}
