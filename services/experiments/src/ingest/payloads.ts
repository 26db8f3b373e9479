// Free JSON of events: text, an object or a list.

import { type JsonObject, type JsonValue, toJson } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { jsonDepthMax } from "@ems/kit/json/issue-messages";

/** A payload as text; objects and lists as JSON. */
export function payloadText(value: Value | undefined): string | undefined {
  if (!isGiven(value)) return undefined;
  return value.kind.case === "stringValue" ? value.kind.value : JSON.stringify(toJson(ValueSchema, value));
}

/** Null says that a field is not given. */
export function isGiven(value: Value | undefined): value is Value {
  return value !== undefined && value.kind.case !== undefined && value.kind.case !== "nullValue";
}

/** Text that is no JSON is wrapped, for clients that parse it. */
export function llmOutput(text: string): string {
  return parsedText(text) === undefined ? JSON.stringify({ message: text }) : text;
}

/** Metadata or parameters: text is read as JSON. */
export function structured(value: Value | undefined): JsonObject | JsonValue[] | undefined {
  if (!isGiven(value)) return undefined;
  if (value.kind.case !== "stringValue")
    return objectOrList(toJson(ValueSchema, value)) ?? { raw: payloadText(value) ?? "" };
  const text = value.kind.value;
  return objectOrList(parsedText(text)) ?? { raw: text };
}

function objectOrList(json: JsonValue | undefined): JsonObject | JsonValue[] | undefined {
  return typeof json === "object" && json !== null ? json : undefined;
}

/** Undefined for what is no JSON, and for what PostgreSQL or protobuf cannot hold. */
function parsedText(text: string): JsonValue | undefined {
  // Escapes of NUL and lone surrogates.
  if (/\\u(?:0000|d[89a-f])/i.test(text)) return undefined;
  try {
    const json: JsonValue = JSON.parse(text);
    return isStorable(json, jsonDepthMax - 8) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** Rejects numbers beyond a double, which are read as infinite, and JSON nested too deep for the levels around it. */
function isStorable(value: JsonValue, levels: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => isStorable(item, levels - 1));
}
