/** Returns the median of an odd number of items. It is one of the items, so its other data can also be displayed. */
export function medianBy<T>(items: readonly T[], value: (item: T) => number): T {
  const sorted = items.toSorted((a, b) => value(a) - value(b));
  const median = sorted[Math.floor(sorted.length / 2)];
  if (median === undefined) throw new Error("median of an empty list");
  return median;
}

export const median = (values: readonly number[]): number => medianBy(values, (value) => value);

/** Returns the mean; 0 for an empty list. */
export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
