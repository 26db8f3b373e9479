// Values from third parties as bounded types. Pure: each parser returns undefined for values that the type cannot hold.

import { nearestDouble } from "../json/exact-number.ts";
import { timestampOfMs } from "../json/timestamp.ts";

declare const brand: unique symbol;
type Branded<Value, Name extends string> = Value & { readonly [brand]: Name };

/** Number of tokens of one call or step: whole, 0 to `tokenCountMax`. */
export type TokenCount = Branded<number, "TokenCount">;
/** US dollars of one call or step, 0 to `moneyMax`, rounded to 12 decimals: sums are exact, whatever their order. */
export type Money = Branded<number, "Money">;
/** Milliseconds since 1970, within the years that protobuf, PostgreSQL and ISO 8601 store: 1970 to 9999. */
export type TimeMs = Branded<number, "TimeMs">;
/** Text of 1 to `nameMax` characters without control characters and lone surrogates. */
export type ShortName = Branded<string, "ShortName">;

/** Largest 32-bit integer. No call has more tokens, and sums of a million calls stay exact in a double. */
export const tokenCountMax = 2 ** 31 - 1;
/** A thousand times the most expensive call that a price list allows. */
export const moneyMax = 1_000_000;
/** Longest name or id that is stored. */
export const nameMax = 255;

/** Parses a third party's value; undefined if the type cannot hold it. */
export type Parse<Type> = (value: unknown) => Type | undefined;

/** Reads a count; also from text, since some senders quote numbers. */
export const tokenCount: Parse<TokenCount> = (value) => {
  const number = numberFrom(value);
  if (number === undefined || !Number.isInteger(number) || number < 0 || number > tokenCountMax) return undefined;
  // Converts -0, which is an integer but does not exist in JSON and PostgreSQL.
  return Math.abs(number) as TokenCount;
};

/** Reads dollars, also from text. */
export const money: Parse<Money> = (value) => {
  const number = numberFrom(value);
  if (number === undefined || !(number >= 0 && number <= moneyMax)) return undefined;
  return Math.abs(Number(number.toFixed(12))) as Money;
};

/** Reads milliseconds since 1970 or ISO 8601. */
export const timeMs: Parse<TimeMs> = (value) => {
  const ms = typeof value === "string" ? Date.parse(value) : nearestDouble(value);
  if (typeof ms !== "number" || !(ms >= 0) || timestampOfMs(ms) === undefined) return undefined;
  return Math.floor(ms) as TimeMs;
};

/** Reads a name or an id. */
export const shortName: Parse<ShortName> = (value) => {
  if (typeof value !== "string" || value === "" || value.length > nameMax) return undefined;
  return /\p{Cc}/u.test(value) || !value.isWellFormed() ? undefined : (value as ShortName);
};

/** Digits, with an optional fraction and exponent: `Number` also accepts hexadecimal digits, spaces and Infinity. */
const decimal = /^[+-]?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,4})?$/;

/** Reads a finite number, also from text. */
export const finiteNumber: Parse<number> = (value) => {
  const number = numberFrom(value);
  return number !== undefined && Number.isFinite(number) ? number : undefined;
};

function numberFrom(sent: unknown): number | undefined {
  const value = nearestDouble(sent);
  if (typeof value === "number") return value;
  const text = typeof value === "string" ? value.trim() : "";
  return decimal.test(text) ? Number(text) : undefined;
}
