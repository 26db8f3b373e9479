// Exact decimal arithmetic: scores are whole millionths, and sums and means are rounded to a double once, at the end.

import { parseDecimal } from "@ems/kit/json/decimal";

/** Returns the decimal `value` times 10^`scale`: its floor, and whether it is a whole number. */
export function scaled(value: number, scale: number): { floor: bigint; isWhole: boolean } {
  const { digits, exponent } = parseDecimal(String(value));
  const shift = exponent + scale;
  if (shift >= 0) return { floor: digits * 10n ** BigInt(shift), isWhole: true };
  const divisor = 10n ** BigInt(-shift);
  const [quotient, rest] = [digits / divisor, digits % divisor];
  return { floor: rest < 0n ? quotient - 1n : quotient, isWhole: rest === 0n };
}

/** Returns the double nearest to `numerator` / `denominator`; the denominator must be positive. */
export function ratio(numerator: bigint, denominator: bigint): number {
  const size = numerator < 0n ? -numerator : numerator;
  // Both fit in doubles, so the division rounds only once.
  if (size <= safe && denominator <= safe) return Number(numerator) / Number(denominator);
  // Rounding 40 digits, plus one digit for the remainder, gives the same result as rounding the exact quotient.
  const shift = Math.max(0, 40 + String(denominator).length - String(size).length);
  const scaledUp = size * 10n ** BigInt(shift);
  const digits = `${scaledUp / denominator}${scaledUp % denominator === 0n ? "0" : "1"}`;
  return Number(`${numerator < 0n ? "-" : ""}${digits}e${-shift - 1}`);
}

const safe = BigInt(Number.MAX_SAFE_INTEGER);

/** Returns a decimal from PostgreSQL (`text`), divided by `divisor` times 10^`scale`. */
export function quotient(text: string, divisor: bigint, scale: number): number {
  const { digits, exponent } = parseDecimal(text);
  const power = scale - exponent;
  if (power < 0) return ratio(digits * 10n ** BigInt(-power), divisor);
  return ratio(digits, divisor * 10n ** BigInt(power));
}

/**
 * Returns the variance of at least two values, in units of 10^-`scale`, from their number and PostgreSQL's decimals for
 * their sum and sum of squares. It is exact before it is rounded to a double, so no digits cancel out.
 */
export function variance(count: bigint, sumText: string, squaresText: string, scale: number): number {
  const [sum, squares] = [parseDecimal(sumText), parseDecimal(squaresText)];
  const exponent = Math.min(2 * sum.exponent, squares.exponent);
  const shift = (digits: bigint, from: number) => digits * 10n ** BigInt(from - exponent);
  const deviation = count * shift(squares.digits, squares.exponent) - shift(sum.digits ** 2n, 2 * sum.exponent);
  return quotient(`${deviation}e${exponent}`, count * (count - 1n), 2 * scale);
}
