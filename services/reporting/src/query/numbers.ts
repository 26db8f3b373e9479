// Numbers without rounding. What people write as 0.1 is stored as a whole number of millionths; sums and means are
// computed from whole numbers, and become a floating-point number once, at the very end.

/** `value` times 10^`scale`, as the decimal that it is written as: the whole number at or below, and whether that is all. */
export function scaled(value: number, scale: number): { floor: bigint; isWhole: boolean } {
  const { digits, exponent } = decimal(String(value));
  const shift = exponent + scale;
  if (shift >= 0) return { floor: digits * 10n ** BigInt(shift), isWhole: true };
  const divisor = 10n ** BigInt(-shift);
  const [quotient, rest] = [digits / divisor, digits % divisor];
  return { floor: rest < 0n ? quotient - 1n : quotient, isWhole: rest === 0n };
}

/** The floating-point number that is nearest to `numerator` divided by `denominator`, which is positive. */
export function ratio(numerator: bigint, denominator: bigint): number {
  const size = numerator < 0n ? -numerator : numerator;
  // Both are floating-point numbers themselves: then their quotient is rounded once, by the processor.
  if (size <= safe && denominator <= safe) return Number(numerator) / Number(denominator);
  // Enough digits that what is cut off cannot turn the rounding, which a last digit stands for.
  const shift = Math.max(0, 40 + String(denominator).length - String(size).length);
  const scaledUp = size * 10n ** BigInt(shift);
  const digits = `${scaledUp / denominator}${scaledUp % denominator === 0n ? "0" : "1"}`;
  return Number(`${numerator < 0n ? "-" : ""}${digits}e${-shift - 1}`);
}

const safe = BigInt(Number.MAX_SAFE_INTEGER);

/** A decimal as PostgreSQL writes it, divided by `divisor` times 10^`scale`. */
export function quotient(text: string, divisor: bigint, scale: number): number {
  const { digits, exponent } = decimal(text);
  const power = scale - exponent;
  if (power < 0) return ratio(digits * 10n ** BigInt(-power), divisor);
  return ratio(digits, divisor * 10n ** BigInt(power));
}

/** `digits` times 10^`exponent`. */
function decimal(text: string): { digits: bigint; exponent: number } {
  const [mantissa = "", power = "0"] = text.split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}
