// Handles JSON in texts: OpenTelemetry attributes can only be texts, numbers and lists of them.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type JsonReviver, jsonTextLimits, tryReadJsonText } from "@ems/kit/readers";

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a text; undefined also for an empty text, which says nothing. */
export function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * Parses JSON in a text; returns any other value unchanged. Numbers with more digits than a double can hold keep them
 * all when written as JSON.
 */
export function parsed(value: JsonValue): JsonValue {
  return read(value, exactNumber);
}

function read(value: JsonValue, reviver?: JsonReviver): JsonValue {
  if (typeof value !== "string" || !/^\s*[[{"]/.test(value)) return value;
  return tryReadJsonText(value, jsonTextLimits, hasLongNumber.test(value) ? reviver : undefined) ?? value;
}

/** Returns a payload in readable form: a text, or JSON for structures, without escapes that hide characters. */
export function legible(value: JsonValue): string {
  const json = parsed(value);
  return typeof json === "string" ? json : JSON.stringify(json);
}

/** Parses JSON in a text for metadata, which PostgreSQL stores as JSON. */
export function parsedMetadata(value: JsonValue): JsonValue {
  return finite(read(value));
}

function finite(value: JsonValue): JsonValue {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (Array.isArray(value)) return value.map(finite);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, finite(each)]));
}

/** Finds numbers with more digits or a larger exponent than a double can hold: their text is kept. */
const hasLongNumber = /\d{16}|\d[eE][+-]?\d{3}/;

function exactNumber(_: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== "number" || source === undefined || String(value) === source) return value;
  return isRaw(JSON) ? JSON.rawJSON(source) : value;
}

/** JSON.isRawJSON and JSON.rawJSON exist in V8, but not yet in TypeScript's libraries. */
function isRaw(json: JSON): json is JSON & { rawJSON(text: string): unknown } {
  return "rawJSON" in json;
}
