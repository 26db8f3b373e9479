// Free-form JSON of events: text, an object or a list.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Value } from "@bufbuild/protobuf/wkt";
import { fromValue } from "@ems/kit/json/free-value";
import { jsonTextLimits, tryReadJsonText } from "@ems/kit/readers";

/** Returns a payload as text; objects and lists become JSON. */
export function payloadText(value: Value | undefined): string | undefined {
  if (!isGiven(value)) return undefined;
  return value.kind.case === "stringValue" ? value.kind.value : JSON.stringify(fromValue(value));
}

/** Null means that a field is not set. */
export function isGiven(value: Value | undefined): value is Value {
  return value !== undefined && value.kind.case !== undefined && value.kind.case !== "nullValue";
}

/** Wraps text that is not JSON, for clients that parse it. */
export function llmOutput(text: string): string {
  return parsedText(text) === undefined ? JSON.stringify({ message: text }) : text;
}

/** Reads metadata or parameters; text is parsed as JSON. */
export function structured(value: Value | undefined): JsonObject | JsonValue[] | undefined {
  if (!isGiven(value)) return undefined;
  if (value.kind.case !== "stringValue") return objectOrList(fromValue(value)) ?? { raw: payloadText(value) ?? "" };
  const text = value.kind.value;
  return objectOrList(parsedText(text)) ?? { raw: text };
}

function objectOrList(json: JsonValue | undefined): JsonObject | JsonValue[] | undefined {
  return typeof json === "object" && json !== null ? json : undefined;
}

/** Undefined for text that is not JSON within the limits, and for numbers beyond a double, which would be infinite. */
function parsedText(text: string): JsonValue | undefined {
  const json = tryReadJsonText(text, jsonTextLimits);
  return json !== undefined && hasFiniteNumbers(json) ? json : undefined;
}

function hasFiniteNumbers(value: JsonValue): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(hasFiniteNumbers);
}
