// Adds decimal numbers without the rounding errors of binary fractions: 0.1 + 0.2 is 0.3.

import { parseDecimal } from "@ems/kit/json/decimal";

/** Returns the sum, computed exactly in decimals and then converted to a double. */
export function decimalSum(amounts: readonly number[]): number {
  return Number(exactSum(amounts));
}

/** Returns the exact sum as a decimal. */
export function exactSum(amounts: readonly number[]): string {
  const [first = 0, ...more] = amounts.filter((amount) => amount !== 0);
  if (more.length === 0) return String(first);
  const parts = [first, ...more].map((amount) => parseDecimal(String(amount)));
  const exponent = Math.min(0, ...parts.map((part) => part.exponent));
  const units = parts.reduce((sum, part) => sum + part.digits * 10n ** BigInt(part.exponent - exponent), 0n);
  return `${units}e${exponent}`;
}
