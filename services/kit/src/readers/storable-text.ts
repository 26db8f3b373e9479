// Text that PostgreSQL can store. Telemetry is never lost for a character: characters that cannot be stored become
// U+FFFD and are counted. Text that a client writes is rejected with its path instead (json/read-scalar.ts).

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isExactNumber } from "../json/exact-number.ts";
import { jsonTextLimits, tryReadJsonText } from "./json-text.ts";

declare const storable: unique symbol;

/**
 * Text without NUL and lone surrogates, the only type that telemetry columns accept. Only `makeStorable` creates it.
 */
export type StorableText = string & { readonly [storable]: true };

/** JSON whose texts and field names are storable. */
export type StorableJson = null | boolean | number | StorableText | StorableJson[] | StorableObject;

export interface StorableObject {
  [name: string]: StorableJson;
}

type Storable<Json> = Json extends JsonValue[] ? StorableJson[] : StorableObject;

/** Number of characters that were replaced in all texts of a row. */
export interface ReplacementCount {
  replacedCharacters: number;
}

/** Replaces each NUL and each lone surrogate with U+FFFD, and adds their number to `count`. */
export function makeStorable(text: string, count?: ReplacementCount): StorableText {
  // The checks are native and take a fraction of the time of a regular expression; nearly all texts pass.
  if (text.isWellFormed() && !text.includes("\0")) return text as StorableText;
  let replaced = 0;
  const stored = text.replaceAll(unstorable, () => {
    replaced++;
    return replacement;
  });
  if (count !== undefined) count.replacedCharacters += replaced;
  return stored as StorableText;
}

/**
 * Like `makeStorable`, for a text that may be JSON: also replaces escapes of such characters, so that later readers
 * find none.
 */
export function makeJsonTextStorable(text: string, count?: ReplacementCount): StorableText {
  const stored = makeStorable(text, count);
  // Each check runs only for the texts that passed the previous one; few do.
  if (!hasUnstorableEscape(stored) || !/^\s*[[{"]/.test(stored)) return stored;
  if (tryReadJsonText(stored, jsonTextLimits) === undefined) return stored;
  let replaced = 0;
  const written = stored.replaceAll(escapes, (found) => {
    const isPair = found.length > 6;
    if (isPair || !unstorableEscape.test(found)) return found;
    replaced++;
    return replacement;
  });
  if (count !== undefined) count.replacedCharacters += replaced;
  return written as StorableText;
}

/** Makes the texts of JSON storable. If two names become equal, the last value is used. */
export function makeJsonStorable(json: JsonValue, count?: ReplacementCount): StorableJson {
  if (typeof json === "string") return makeStorable(json, count);
  if (typeof json !== "object" || json === null) return json;
  // Safe cast: an exact number is JSON without texts.
  if (isExactNumber(json)) return json as unknown as StorableObject;
  if (Array.isArray(json)) return json.map((each) => makeJsonStorable(each, count));
  const entries = Object.entries(json).map(([name, value]) => [
    makeStorable(name, count),
    makeJsonStorable(value, count),
  ]);
  // Unlike assignment, this keeps the name `__proto__`.
  return Object.fromEntries(entries);
}

/**
 * Like `makeJsonStorable`, but returns the same object if nothing is replaced. Checks `written`, the JSON's text,
 * first: that is faster than a walk.
 */
export function makeWrittenJsonStorable<Json extends JsonObject | JsonValue[]>(
  json: Json,
  written: string,
  count?: ReplacementCount,
): Storable<Json> {
  if (!hasUnstorableEscape(written)) return json as Storable<Json>;
  return makeJsonStorable(json, count) as Storable<Json>;
}

const replacement = "\u{fffd}";

/** Escapes as JSON.stringify and clients write them, including those in a pair or after an escaped backslash. */
const unstorableEscape = /\\u(?:0000|[dD][89a-fA-F])/;

/** The native search for any escape takes a fraction of the time of the regular expression. */
function hasUnstorableEscape(text: string): boolean {
  return text.includes("\\u") && unstorableEscape.test(text);
}

/** Matches all escapes of a JSON text, so that an escaped backslash does not start another escape. */
const escapes = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|.)/g;

/** With the flag `u`, a surrogate in a pair does not match on its own. */
const unstorable = /[\0\ud800-\udfff]/gu;
