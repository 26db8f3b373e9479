// OTLP's attributes as plain JSON. Malformed ones are skipped, so that one does not cost the whole span.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Reads a list of KeyValue; the last of equal keys counts. */
export function attributesOf(list: JsonValue | undefined): JsonObject {
  if (!Array.isArray(list)) return {};
  const entries = list.flatMap((item): [string, JsonValue][] => {
    if (!isObject(item) || typeof item.key !== "string") return [];
    return [[item.key, anyValue(item.value)]];
  });
  // Unlike assignment, this keeps the key `__proto__`.
  return Object.fromEntries(entries);
}

function anyValue(any: JsonValue | undefined): JsonValue {
  if (!isObject(any)) return null;
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = any;
  if (stringValue !== undefined) return stringValue;
  if (boolValue !== undefined) return boolValue;
  if (intValue !== undefined) return integer(intValue);
  // NaN and the infinities are texts in JSON.
  if (doubleValue !== undefined) return doubleValue;
  if (isObject(arrayValue)) return Array.isArray(arrayValue.values) ? arrayValue.values.map(anyValue) : [];
  if (isObject(kvlistValue)) return attributesOf(kvlistValue.values);
  return bytesValue ?? null;
}

/** int64 is a text in JSON; a number where a double holds it exactly. */
function integer(value: JsonValue): JsonValue {
  if (typeof value !== "string" || !/^-?\d+$/.test(value)) return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
