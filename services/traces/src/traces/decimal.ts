// Adds decimal numbers without the rounding errors of binary fractions: 0.1 + 0.2 is 0.3.

/** Returns the sum, computed exactly in decimals and then converted to a double. */
export function decimalSum(amounts: readonly number[]): number {
  return Number(exactSum(amounts));
}

/** Returns the exact sum as a decimal. */
export function exactSum(amounts: readonly number[]): string {
  const [first = 0, ...more] = amounts.filter((amount) => amount !== 0);
  if (more.length === 0) return String(first);
  const parts = [first, ...more].map(decimal);
  const scale = Math.max(...parts.map((part) => part.scale));
  const units = parts.reduce((sum, part) => sum + part.units * 10n ** BigInt(scale - part.scale), 0n);
  return `${units}e${-scale}`;
}

/** Returns the number as `units / 10 ** scale`. */
function decimal(amount: number): { units: bigint; scale: number } {
  const [digits = "", exponent = "0"] = String(amount).split("e");
  const [whole = "", fraction = ""] = digits.split(".");
  const scale = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction);
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
}
