// JSON inside a text. Its values, depth and bytes are counted before it is parsed, so that a short text cannot become a
// large tree. Values are lists, objects, their items and members.

import type { JsonValue } from "@bufbuild/protobuf";
import { parseJson } from "../json/exact-number.ts";
import { type ReadLimits, UnreadableText } from "./budget.ts";
import { findJsonFault } from "./json-fault.ts";
import { measureJson } from "./measure-json.ts";

export type JsonTextLimits = Pick<ReadLimits, "values" | "depth" | "bytes">;

/**
 * Limits of JSON inside the texts of telemetry. A text beyond them stays plain text: reading 50,000 values takes about
 * ten milliseconds, and protobuf's readers limit the nesting of responses.
 */
export const jsonTextLimits: JsonTextLimits = { values: 50_000, depth: 24, bytes: 8 * 1024 * 1024 };

/** Parses the text; throws `UnreadableText` with the path of an error or an exceeded limit. */
export function readJsonText(text: string, limits: JsonTextLimits): JsonValue {
  const excess = findExcess(text, limits);
  if (excess !== undefined) throw exceeded(text, excess);
  try {
    return parseJson(text);
  } catch (error) {
    throw invalidJson(text, error);
  }
}

/** Parses the text; undefined if it is not JSON or exceeds a limit. Texts of telemetry then stay plain text. */
export function tryReadJsonText(text: string, limits: JsonTextLimits, parse = parseJson): JsonValue | undefined {
  // Check first: most texts are prose, and an exception for each would dominate the cost.
  if (!jsonStart.test(text) || findExcess(text, limits) !== undefined) return undefined;
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Returns true for a text that begins like a list or an object. */
export function isStructure(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** Parses a list or an object; undefined for any other text, as in `tryReadJsonText`. */
export function tryReadStructure(text: string, limits: JsonTextLimits): JsonValue | undefined {
  return isStructure(text) ? tryReadJsonText(text, limits) : undefined;
}

/** Beginning of any JSON value. */
const jsonStart = /^[ \t\n\r]*[[{"\-\dtfn]/;

interface Excess {
  readonly limit: number;
  readonly unit: string;
  /** Index of the byte at which the limit is exceeded. */
  readonly byte: number;
}

/** Returns true if the text begins like a list or an object but exceeds the limits. */
export function isTooLargeJson(text: string, limits: JsonTextLimits): boolean {
  return text.length > limits.values && isStructure(text) && findExcess(text, limits) !== undefined;
}

function findExcess(text: string, { values, depth, bytes }: JsonTextLimits): Excess | undefined {
  if (text.length > bytes) return { limit: bytes, unit: "bytes", byte: bytes };
  // A text has no more values than characters, and no more levels than brackets: nearly all texts pass this check.
  if (text.length <= Math.min(bytes / 3, values) && !hasMoreBrackets(text, depth)) return undefined;
  // The text was counted before and is not scanned again.
  if (values === Infinity && depth === Infinity) return undefined;
  const written = Buffer.from(text);
  if (written.length > bytes) return { limit: bytes, unit: "bytes", byte: bytes };
  const measured = measureJson(written, { values, depth });
  if (measured.depth > depth) return { limit: depth, unit: "nested levels", byte: measured.index };
  return measured.values > values ? { limit: values, unit: "values", byte: measured.index } : undefined;
}

/** Returns true for more than `max` opening brackets. Native searches take a fraction of the time of a scan. */
function hasMoreBrackets(text: string, max: number): boolean {
  if (text.length <= max) return false;
  let left = max;
  for (const bracket of "[{") {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (--left < 0) return true;
    }
  }
  return false;
}

function exceeded(text: string, { limit, unit, byte }: Excess): UnreadableText {
  const { path } = findJsonFault(Buffer.from(text).toString("utf8", 0, byte));
  return new UnreadableText(`Expected at most ${limit.toLocaleString("en")} ${unit} of JSON`, { path, byte }, "LIMIT");
}

function invalidJson(text: string, error: unknown): UnreadableText {
  const message = error instanceof Error ? error.message : String(error);
  // V8 repeats the text around the error, which may be sensitive.
  const problem = message.replace(/(?:, ?(?:\.\.\.)?".*| at position .*| in JSON.*)$/s, "");
  const { path, index } = findJsonFault(text);
  return new UnreadableText(`Invalid JSON: ${problem}`, { path, byte: Buffer.byteLength(text.slice(0, index)) });
}
