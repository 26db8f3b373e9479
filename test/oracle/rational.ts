// Exact rational numbers in simple arithmetic.

/** `top` / `bottom`; `bottom` is positive. */
export interface Rational {
  readonly top: bigint;
  readonly bottom: bigint;
}

export function whole(value: bigint | number): Rational {
  return { top: BigInt(value), bottom: 1n };
}

/** Returns the decimal number as which the value is printed. */
export function decimal(value: number): Rational {
  const [, sign = "", digits = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  const exponent = Number(power) - fraction.length;
  const top = BigInt(`${sign}${digits}${fraction}`);
  return exponent >= 0 ? whole(top * 10n ** BigInt(exponent)) : { top, bottom: 10n ** BigInt(-exponent) };
}

export function plus(a: Rational, b: Rational): Rational {
  return { top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom };
}

export function compareRationals(a: Rational, b: Rational): number {
  const [left, right] = [a.top * b.bottom, b.top * a.bottom];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Returns the nearest floating-point number: the runtime parses a text of eighty digits. */
export function toNumber({ top, bottom }: Rational): number {
  const sign = top < 0n ? "-" : "";
  let rest = top < 0n ? -top : top;
  let text = `${rest / bottom}.`;
  rest %= bottom;
  for (let digit = 0; digit < 80 && rest > 0n; digit++) {
    rest *= 10n;
    text += rest / bottom;
    rest %= bottom;
  }
  return Number(`${sign}${text}0`);
}
