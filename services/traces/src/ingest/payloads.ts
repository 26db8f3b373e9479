// Free-form JSON in events: text, an object or a list.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Value } from "@bufbuild/protobuf/wkt";
import { isExactNumber, nearestDouble } from "@ems/kit/json/exact-number";
import { fromValue } from "@ems/kit/json/free-value";
import { jsonTextLimits, tryReadJsonText } from "@ems/kit/readers";

/** Returns a payload as text; objects and lists become JSON. */
export function payloadText(value: Value | undefined): string | undefined {
  if (!isGiven(value)) return undefined;
  return value.kind.case === "stringValue" ? value.kind.value : JSON.stringify(fromValue(value));
}

/** Returns true if a value is given. Null means that the field is not set. */
export function isGiven(value: Value | undefined): value is Value {
  return value !== undefined && value.kind.case !== undefined && value.kind.case !== "nullValue";
}

/** Converts text that is not JSON to a JSON string, for clients that parse the output. */
export function llmOutput(text: string): string {
  return parsedText(text) === undefined ? JSON.stringify({ message: text }) : text;
}

/** Reads metadata or parameters; a text is parsed as JSON. */
export function structured(value: Value | undefined): JsonObject | JsonValue[] | undefined {
  if (!isGiven(value)) return undefined;
  if (value.kind.case !== "stringValue") return objectOrList(fromValue(value)) ?? { raw: payloadText(value) ?? "" };
  const text = value.kind.value;
  return objectOrList(parsedText(text)) ?? { raw: text };
}

function objectOrList(json: JsonValue | undefined): JsonObject | JsonValue[] | undefined {
  return typeof json === "object" && json !== null && !isExactNumber(json) ? json : undefined;
}

/** Parses JSON; undefined for text that is not JSON within the limits, or has numbers that a double cannot hold. */
function parsedText(text: string): JsonValue | undefined {
  const json = tryReadJsonText(text, jsonTextLimits);
  return json !== undefined && hasFiniteNumbers(json) ? json : undefined;
}

function hasFiniteNumbers(value: JsonValue): boolean {
  const double = nearestDouble(value);
  if (typeof double === "number") return Number.isFinite(double);
  return typeof value !== "object" || value === null || Object.values(value).every(hasFiniteNumbers);
}
