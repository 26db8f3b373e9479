// OTLP's attributes as plain JSON.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A list of KeyValue; what is none is passed over, and of one key the last counts. */
export function attributesOf(list: JsonValue | undefined): JsonObject {
  if (!Array.isArray(list)) return {};
  const entries = list.flatMap((item): [string, JsonValue][] => {
    if (!isObject(item) || typeof item.key !== "string") return [];
    return [[item.key, anyValue(item.value)]];
  });
  // Not by assignment: `__proto__` is a key like any other.
  return Object.fromEntries(entries);
}

/** An AnyValue. */
function anyValue(any: JsonValue | undefined): JsonValue {
  if (!isObject(any)) return null;
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = any;
  if (stringValue !== undefined) return stringValue;
  if (boolValue !== undefined) return boolValue;
  if (intValue !== undefined) return integer(intValue);
  // NaN and the infinities come as text and stay so.
  if (doubleValue !== undefined) return doubleValue;
  if (isObject(arrayValue)) return Array.isArray(arrayValue.values) ? arrayValue.values.map(anyValue) : [];
  if (isObject(kvlistValue)) return attributesOf(kvlistValue.values);
  return bytesValue ?? null;
}

/** 64 bits come as text; what a JSON number holds exactly becomes one. */
function integer(value: JsonValue): JsonValue {
  if (typeof value !== "string" || !/^-?\d+$/.test(value)) return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
