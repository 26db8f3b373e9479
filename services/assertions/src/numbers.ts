// Numbers in texts, as exact decimals: a tolerance is not blurred by binary fractions, and long ids keep their digits.

/** The number `digits` × 10^-`scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** Maximum digits of a number, and maximum exponent. */
const digitsMax = 1_000;

const numbers = /[-+\u2212]?(?:\d[\d.,'\u2019 ]*|\.\d+)(?:[eE][-+]?\d+)?/g;

/** Returns the numbers in a folded text, as written; at most `max`. */
export function findNumbers(text: string, max: number): string[] {
  const found: string[] = [];
  for (const { 0: written, index } of text.matchAll(numbers)) {
    // A hyphen after a letter or digit is no sign.
    const isSigned = /^[-+\u2212]/.test(written) && !/[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, index - 2), index));
    const parts = splitNumbers((isSigned ? written : written.replace(/^[-+\u2212]/, "")).replace(/[.,'\u2019 ]+$/, ""));
    for (const part of parts) {
      found.push(part);
      if (found.length === max) return found;
    }
  }
  return found;
}

/** Splits numbers between which there is white space or a comma, but not a separator of thousands. */
function splitNumbers(written: string): string[] {
  const isGrouped = /^[-+\u2212]?\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?:[eE][-+]?\d+)?$/.test(written);
  return isGrouped ? [written] : written.split(/[,.'\u2019]? +/).filter((part) => part !== "");
}

/**
 * Reads a number as people write it: 1,234.5, 1.234,5, 1 234,5 and 1'234.5 are equal. One comma before exactly three
 * digits separates thousands; one point is always a decimal point. Undefined for other texts.
 */
export function readDecimal(text: string): Decimal | undefined {
  const match = /^([-+\u2212]?)([\d.,'\u2019 ]+)(?:[eE]([-+]?\d{1,4}))?$/.exec(text.trim());
  if (match === null || (match[2]?.length ?? 0) > digitsMax) return undefined;
  const [, sign = "", written = "", exponent = "0"] = match;
  const plain = unifySeparators(written);
  if (plain === undefined || Math.abs(Number(exponent)) > digitsMax) return undefined;
  const [whole = "", fraction = ""] = plain.split(".");
  const digits = BigInt(whole + fraction) * (sign === "" || sign === "+" ? 1n : -1n);
  const scale = fraction.length - Number(exponent);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

/** Returns the number with only a decimal point, such as 1234.5; undefined if it is none. */
function unifySeparators(written: string): string | undefined {
  const compact = written.replace(/(?<=\d)['\u2019 ](?=\d{3}(?!\d))/g, "");
  const [points, commas] = [compact.split(".").length - 1, compact.split(",").length - 1];
  const isDecimalComma =
    commas === 1 && (points > 0 ? compact.indexOf(",") > compact.lastIndexOf(".") : !isGrouped(compact, ","));
  const [decimal, thousands] = isDecimalComma ? [",", "."] : points > 1 ? [undefined, "."] : [".", ","];
  const [whole = "", fraction = "", ...rest] = decimal === undefined ? [compact] : compact.split(decimal);
  if (rest.length > 0 || (whole.includes(thousands) && !isGrouped(whole, thousands))) return undefined;
  const digits = whole.replaceAll(thousands, "");
  return /^\d*$/.test(digits) && /^\d*$/.test(fraction) && digits + fraction !== ""
    ? `${digits}.${fraction}`
    : undefined;
}

function isGrouped(text: string, separator: string): boolean {
  const [first = "", ...groups] = text.split(separator);
  return /^\d{1,3}$/.test(first) && first !== "0" && groups.every((group) => /^\d{3}$/.test(group));
}

/** Reads a number of the settings: a JavaScript number, or a text with a decimal point. */
export function toDecimal(value: number | string): Decimal | undefined {
  const text = String(value).trim();
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text) ? readDecimal(text) : undefined;
}

/** Returns true if the numbers differ by at most the tolerance. */
export function isWithin(a: Decimal, b: Decimal, tolerance: Decimal): boolean {
  const scale = Math.max(a.scale, b.scale, tolerance.scale);
  const [left, right, bound] = [a, b, tolerance].map((each) => each.digits * 10n ** BigInt(scale - each.scale));
  const distance = (left ?? 0n) - (right ?? 0n);
  return (distance < 0n ? -distance : distance) <= (bound ?? 0n);
}

/** Writes the number without trailing zeros, for comparisons. */
export function canonical({ digits, scale }: Decimal): string {
  if (digits === 0n) return "0";
  let [left, places] = [digits, scale];
  while (left % 10n === 0n) {
    left /= 10n;
    places--;
  }
  return `${left}e${-places}`;
}
