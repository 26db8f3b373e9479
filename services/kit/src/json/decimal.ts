// Decimal numbers as integers: pure.

export interface Decimal {
  /** The number is `digits` times 10^`exponent`. */
  readonly digits: bigint;
  readonly exponent: number;
}

/** Parses a decimal, such as the shortest form of a double: `0.1`, `-2`, `1e-7`. Throws a SyntaxError for other texts. */
export function parseDecimal(text: string): Decimal {
  const [mantissa = "", power = "0"] = text.split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}
