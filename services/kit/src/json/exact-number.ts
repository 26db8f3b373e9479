// Numbers in the JSON of clients. A number that a double cannot hold, such as an id above 2^53, is kept as `ExactNumber`,
// which JSON.stringify writes with the digits that came. Other numbers are doubles. Pure.

import type { JsonValue } from "@bufbuild/protobuf";

/**
 * A JSON number that a double cannot hold: an object of V8 (JSON.rawJSON). It is a `JsonObject` for the compiler, so
 * code that walks free JSON must ask `isExactNumber` before it handles objects. Threads cannot send it to each other.
 */
export interface ExactNumber {
  readonly rawJSON: string;
}

/** TypeScript's libraries lack these functions of V8. */
const json = JSON as JSON & {
  rawJSON(text: string): ExactNumber;
  isRawJSON(value: unknown): value is ExactNumber;
};

export const isExactNumber = json.isRawJSON;

/** Parses JSON; throws a SyntaxError for any other text. Texts without a long number cost one native search more. */
export function parseJson(text: string): JsonValue {
  return hasExactNumber(text) ? parseWithSources(text) : JSON.parse(text);
}

/** Like `parseJson`, without a search: for texts that probably contain exact numbers, which it reads five times slower. */
export function parseWithSources(text: string): JsonValue {
  return JSON.parse(text, (_name, value: JsonValue, context?: { readonly source?: string }) =>
    typeof value === "number" && context?.source !== undefined ? readNumber(context.source) : value,
  );
}

/** Returns a number that is written as `digits` in JSON; `value` if they are no JSON, such as hexadecimal digits. */
export function readNumber(digits: string, value = Number(digits)): JsonValue {
  if (!number.test(digits)) return value;
  const isKept = value !== 0 && digits.length <= digitsMax && !isSameNumber(digits, String(value));
  // Safe cast: an exact number is JSON.
  return isKept ? (json.rawJSON(digits) as unknown as JsonValue) : value;
}

/** Returns the double that is nearest to an exact number; any other value unchanged. */
export function nearestDouble(value: unknown): unknown {
  return isExactNumber(value) ? Number(value.rawJSON) : value;
}

/** Returns true for an object of JSON: neither a list nor a number. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/** Returns true if JSON has an exact number anywhere in it. */
export function containsExactNumber(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(containsExactNumber);
  if (isExactNumber(value)) return true;
  for (const name in value) if (containsExactNumber((value as Readonly<Record<string, unknown>>)[name])) return true;
  return false;
}

/** Replaces exact numbers by the nearest doubles; returns the same object if there are none. */
export function withDoubles(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (isExactNumber(value)) return Number(value.rawJSON);
  if (Array.isArray(value)) {
    const items = value.map(withDoubles);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const entries = Object.entries(value).map(([name, item]): [string, JsonValue] => [name, withDoubles(item)]);
  return entries.every(([name, item]) => item === value[name]) ? value : Object.fromEntries(entries);
}

/** Longer numbers become doubles: PostgreSQL's `jsonb` holds at most 16,383 digits after the point. */
const digitsMax = 1_000;

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A double holds every number of 15 digits. */
const longNumber = /\d[\d.]{15}/;
const longNumbers = /(?<=[[:,\s]|^)-?\d[\d.]{15,}(?:[eE][+-]?\d+)?/g;

/** May be true for digits in a text, which costs time only. */
function hasExactNumber(text: string): boolean {
  if (!longNumber.test(text)) return false;
  for (const [digits] of text.matchAll(longNumbers)) {
    const double = String(Number(digits));
    if (double !== digits && !isSameNumber(digits, double)) return true;
  }
  return false;
}

function isSameNumber(a: string, b: string): boolean {
  return a === b || decimal(a) === decimal(b);
}

/** Returns the value in one spelling: significant digits and exponent. */
function decimal(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
