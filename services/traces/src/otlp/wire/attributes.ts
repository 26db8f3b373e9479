// OTLP's attributes as JSON. Characters that PostgreSQL refuses are replaced and counted where rows are made.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { AnyValue, KeyValue } from "@ems/proto/opentelemetry/proto/common/v1/common";

/** The last of equal keys counts; an attribute without a name is none. */
export function attributesOf(list: readonly KeyValue[]): JsonObject {
  const attributes: JsonObject = {};
  for (const { key, value } of list) {
    if (key === "") continue;
    const json = value === undefined ? null : jsonOf(value, 0);
    // Unlike assignment, this keeps the key `__proto__`.
    if (key === "__proto__") Object.defineProperty(attributes, key, { value: json, ...plain });
    else attributes[key] = json;
  }
  return attributes;
}

const plain = { enumerable: true, writable: true, configurable: true };

/** Deeper values become null: protobuf's readers bound the nesting of an answer. */
const depthMax = 16;

export function jsonOf({ value: any }: AnyValue, depth = 0): JsonValue {
  switch (any.case) {
    case "stringValue":
      return any.value;
    case "boolValue":
      return any.value;
    case "intValue":
      return integer(any.value);
    case "doubleValue":
      // JSON has no infinity.
      return Number.isFinite(any.value) ? any.value : String(any.value);
    case "arrayValue":
      return depth < depthMax ? any.value.values.map((item) => jsonOf(item, depth + 1)) : null;
    case "kvlistValue":
      return depth < depthMax ? mapOf(any.value.values, depth + 1) : null;
    case "bytesValue":
      return Buffer.from(any.value).toString("base64");
    case undefined:
      return null;
    default:
      return any satisfies never;
  }
}

function mapOf(list: readonly KeyValue[], depth: number): JsonObject {
  return Object.fromEntries(list.map(({ key, value }) => [key, value ? jsonOf(value, depth) : null]));
}

/** A number where a double holds it exactly, else a text. */
function integer(value: bigint): JsonValue {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
