/** The median of an odd number of items: one of them, so that what belongs to it is shown too. */
export function medianBy<T>(items: readonly T[], value: (item: T) => number): T {
  const sorted = items.toSorted((a, b) => value(a) - value(b));
  const median = sorted[Math.floor(sorted.length / 2)];
  if (median === undefined) throw new Error("a median of nothing");
  return median;
}

export const median = (values: readonly number[]): number => medianBy(values, (value) => value);

/** 0 of nothing. */
export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
