// Computes Wilson's 95 % interval of a rate, for counts that the API returns without an interval.

const z = 1.959963984540054;

export function wilson(passed: number, total: number): { low: number; high: number } | null {
  if (total <= 0) return null;
  const rate = passed / total;
  const scale = 1 + z ** 2 / total;
  const centre = (rate + z ** 2 / (2 * total)) / scale;
  const half = (z / scale) * Math.sqrt((rate * (1 - rate)) / total + z ** 2 / (4 * total ** 2));
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}
