// Conversion between free JSON and google.protobuf.Value. A Value keeps its original JSON, and its structure is built
// on first use, for example by the encoder: within a process most values are passed on and stored as JSON. With 90,000
// names, each conversion takes 50 to 100 ms of the event loop. The structure has doubles: the encoder adds the digits of
// exact numbers (exact-fields.ts).

import { fromJson, type JsonObject, type JsonValue, toJson } from "@bufbuild/protobuf";
import { type ListValue, ListValueSchema, type Struct, type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { isExactNumber } from "./exact-number.ts";

const sources = new WeakMap<object, JsonValue>();

/** Converts JSON without a copy: nothing may change it afterwards. A non-JSON value throws when it is read. */
export function toValue(json: JsonValue): Value {
  if (typeof json !== "object" || json === null) return fromJson(ValueSchema, json);
  if (isExactNumber(json)) {
    const kind = { case: "numberValue" as const, value: Number(json.rawJSON) };
    sources.set(kind, json);
    return { $typeName: "google.protobuf.Value", kind };
  }
  const kind = Array.isArray(json)
    ? made({ case: "listValue" as const }, "value", json, () => toListValue(json))
    : made({ case: "structValue" as const }, "value", json, () => toStruct(json));
  return { $typeName: "google.protobuf.Value", kind };
}

/** Members are built at their first use, too. */
function toStruct(json: JsonObject): Struct {
  // Unlike assignment, Object.fromEntries keeps `__proto__` as a key.
  const fields = Object.fromEntries(Object.entries(json).map(([name, value]) => [name, toValue(value)]));
  return { $typeName: "google.protobuf.Struct", fields };
}

/** Converts a list. */
export function toListValue(json: readonly JsonValue[]): ListValue {
  const list = { $typeName: "google.protobuf.ListValue" as const };
  return made(list, "values", json as JsonValue[], () => json.map(toValue));
}

/** Converts a Value to JSON. Throws for a value without a kind, and for numbers that JSON cannot represent. */
export function fromValue(value: Value): JsonValue {
  return sources.get(value.kind) ?? toJson(ValueSchema, value);
}

/** Returns the JSON that a Value or list was made from; undefined for a decoded one, which has doubles only. */
export function findSource(value: Value | ListValue): JsonValue | undefined {
  return sources.get(value.$typeName === "google.protobuf.Value" ? value.kind : value);
}

export function fromListValue(list: ListValue): JsonValue[] {
  return (sources.get(list) as JsonValue[] | undefined) ?? toJson(ListValueSchema, list);
}

/** Adds a property to `target` whose value is built at the first use. */
function made<T extends object, Name extends string, Made>(
  target: T,
  name: Name,
  json: JsonValue,
  make: () => Made,
): T & Record<Name, Made> {
  let value: Made | undefined;
  const set = (changed: Made) => {
    sources.delete(target);
    value = changed;
  };
  Object.defineProperty(target, name, { enumerable: true, configurable: true, get: () => (value ??= make()), set });
  sources.set(target, json);
  // The cast is safe: the property has just been defined.
  return target as T & Record<Name, Made>;
}
