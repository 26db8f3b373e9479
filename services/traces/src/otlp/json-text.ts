// Handles JSON in texts: OpenTelemetry attributes can only be texts, numbers and lists of them.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isExactNumber, nearestDouble, parseJson, parseWithSources } from "@ems/kit/json/exact-number";
import { jsonTextLimits, tryReadJsonText } from "@ems/kit/readers";

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/** Returns a text; undefined also for an empty text, which says nothing. */
export function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Parses JSON in a text; returns any other value unchanged. */
export function parsed(value: JsonValue): JsonValue {
  if (typeof value !== "string" || !/^\s*[[{"]/.test(value)) return value;
  return tryReadJsonText(value, jsonTextLimits, hasLargeExponent.test(value) ? parseWithSources : parseJson) ?? value;
}

/** Finds numbers that may be beyond the range of a double: payloads, which are texts, keep them. */
const hasLargeExponent = /\d[eE][+-]?\d{3}/;

/** Returns a payload in readable form: a text, or JSON for structures, without escapes that hide characters. */
export function legible(value: JsonValue): string {
  const json = parsed(value);
  return typeof json === "string" ? json : JSON.stringify(json);
}

/** Parses JSON in a text for metadata, which PostgreSQL stores as JSON. */
export function parsedMetadata(value: JsonValue): JsonValue {
  return finite(parsed(value));
}

/** Converts numbers beyond the range of a double, which free JSON cannot have, to texts. */
function finite(value: JsonValue): JsonValue {
  const double = nearestDouble(value);
  if (typeof double === "number") return Number.isFinite(double) ? value : String(double);
  if (Array.isArray(value)) return value.map(finite);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, finite(each)]));
}
