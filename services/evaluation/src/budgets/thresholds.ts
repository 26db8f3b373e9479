// Which thresholds of a budget are announced: pure.

/** In percent, largest first. */
const thresholds = [100, 80] as const;

/** The largest share that is reached; 0 when none. */
export function shareOf(spent: bigint, budget: bigint): number {
  return thresholds.find((share) => spent * 100n >= budget * BigInt(share)) ?? 0;
}

/** The thresholds between what was announced and what is reached now, smallest first. */
export function newShares(notified: number, reached: number): number[] {
  return thresholds.filter((share) => share > notified && share <= reached).reverse();
}

const millionths = 1_000_000;

/** The part of uncertain spend that counts, rounded up; a share of 1 counts all of it. */
export function countedShare(uncertain: bigint, share: number): bigint {
  const scaled = uncertain * BigInt(Math.round(share * millionths));
  return (scaled + BigInt(millionths - 1)) / BigInt(millionths);
}
