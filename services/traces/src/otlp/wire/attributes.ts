// Converts OTLP's attributes to JSON. Characters that PostgreSQL rejects are replaced and counted when rows are
// created.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { AnyValue, KeyValue } from "@ems/proto/opentelemetry/proto/common/v1/common";

/** Converts a list of attributes. If keys are equal, the last one wins; ignores attributes without a name. */
export function toAttributes(list: readonly KeyValue[]): JsonObject {
  const attributes: JsonObject = {};
  for (const { key, value } of list) {
    if (key === "") continue;
    const json = value === undefined ? null : toJsonValue(value, 0);
    // Assignment would not store the key `__proto__`.
    if (key === "__proto__") Object.defineProperty(attributes, key, { value: json, ...plain });
    else attributes[key] = json;
  }
  return attributes;
}

const plain = { enumerable: true, writable: true, configurable: true };

/** Maximum depth; deeper values become null, because protobuf readers limit the nesting of a response. */
const depthMax = 16;

export function toJsonValue({ value: any }: AnyValue, depth = 0): JsonValue {
  switch (any.case) {
    case "stringValue":
      return any.value;
    case "boolValue":
      return any.value;
    case "intValue":
      return integer(any.value);
    case "doubleValue":
      // JSON cannot represent infinity or NaN.
      return Number.isFinite(any.value) ? any.value : String(any.value);
    case "arrayValue":
      return depth < depthMax ? any.value.values.map((item) => toJsonValue(item, depth + 1)) : null;
    case "kvlistValue":
      return depth < depthMax ? toMap(any.value.values, depth + 1) : null;
    case "bytesValue":
      return Buffer.from(any.value).toString("base64");
    case undefined:
      return null;
    default:
      return any satisfies never;
  }
}

function toMap(list: readonly KeyValue[], depth: number): JsonObject {
  return Object.fromEntries(list.map(({ key, value }) => [key, value ? toJsonValue(value, depth) : null]));
}

/** Returns a number if a double can hold it exactly, else a text. */
function integer(value: bigint): JsonValue {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
