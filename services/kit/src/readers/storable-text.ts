// Text that PostgreSQL stores. Telemetry is never lost for a character: whatever cannot be stored becomes U+FFFD and is counted.
// Text that a client writes is refused with its path instead (json/read-scalar.ts).

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { jsonTextLimits, tryReadJsonText } from "./json-text.ts";

declare const storable: unique symbol;

/** Text without NUL and lone surrogates. Columns of telemetry take no other: only `makeStorable` makes it. */
export type StorableText = string & { readonly [storable]: true };

/** JSON whose texts and names of fields are storable. */
export type StorableJson = null | boolean | number | StorableText | StorableJson[] | StorableObject;

export interface StorableObject {
  [name: string]: StorableJson;
}

type Storable<Json> = Json extends JsonValue[] ? StorableJson[] : StorableObject;

/** Counts the characters that were replaced in all texts of a row. */
export interface ReplacementCount {
  replacedCharacters: number;
}

/** Replaces each NUL and each lone surrogate by U+FFFD, and adds their number to `count`. */
export function makeStorable(text: string, count?: ReplacementCount): StorableText {
  // The checks are native and take a fraction of the time of an expression; nearly all texts pass.
  if (text.isWellFormed() && !text.includes("\0")) return text as StorableText;
  let replaced = 0;
  const stored = text.replaceAll(unstorable, () => {
    replaced++;
    return replacement;
  });
  if (count !== undefined) count.replacedCharacters += replaced;
  return stored as StorableText;
}

/** The same of a text that may be JSON: escapes of such characters too, so that readers of its values meet none. */
export function makeJsonTextStorable(text: string, count?: ReplacementCount): StorableText {
  const stored = makeStorable(text, count);
  // Each step is tried for the few texts alone that pass the one before it.
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

/** JSON of storable texts. Where two names become equal, the last value counts. */
export function makeJsonStorable(json: JsonValue, count?: ReplacementCount): StorableJson {
  if (typeof json === "string") return makeStorable(json, count);
  if (typeof json !== "object" || json === null) return json;
  if (isRawJson(json)) return json as StorableObject;
  if (Array.isArray(json)) return json.map((each) => makeJsonStorable(each, count));
  const entries = Object.entries(json).map(([name, value]) => [
    makeStorable(name, count),
    makeJsonStorable(value, count),
  ]);
  // Unlike assignment, this keeps the name `__proto__`.
  return Object.fromEntries(entries);
}

/** The same, as it came where nothing is replaced: `written` is its text, which shows that without a walk. */
export function makeWrittenJsonStorable<Json extends JsonObject | JsonValue[]>(
  json: Json,
  written: string,
  count?: ReplacementCount,
): Storable<Json> {
  if (!hasUnstorableEscape(written)) return json as Storable<Json>;
  return makeJsonStorable(json, count) as Storable<Json>;
}

const replacement = "\u{fffd}";

/** As JSON.stringify and clients write it; also in a pair, or after a backslash that is escaped itself. */
const unstorableEscape = /\\u(?:0000|[dD][89a-fA-F])/;

/** The native search for any code takes a fraction of the time of the expression. */
function hasUnstorableEscape(text: string): boolean {
  return text.includes("\\u") && unstorableEscape.test(text);
}

/** All escapes of a JSON text, so that an escaped backslash is not taken for the beginning of another escape. */
const escapes = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|.)/g;

/** A number as it was written, which V8 gives to revivers and TypeScript does not know yet. */
function isRawJson(json: object): boolean {
  return "isRawJSON" in JSON && (JSON as JSON & { isRawJSON(json: object): boolean }).isRawJSON(json);
}

/** With the flag `u`, a surrogate of a pair is no character of its own. */
const unstorable = /[\0\ud800-\udfff]/gu;
