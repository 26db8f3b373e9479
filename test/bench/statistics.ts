/** The middle value; of an even number of values the higher of the two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Nearest rank, in any order: of fewer than 100 values the 99th percentile is the highest. NaN of none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil((sorted.length * percent) / 100)) - 1] ?? Number.NaN;
}

/** Duration of the work in milliseconds. */
export async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}
