// Pure: ids of people and sessions in a trace's metadata.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isExactNumber } from "@ems/kit/json/exact-number";
import { makeStorable, type StorableText } from "@ems/kit/readers";

/** Returns the first id under one of the names; the last name may contain an object with an id. */
export function findId(
  metadata: JsonObject | readonly JsonValue[],
  names: readonly string[],
): StorableText | undefined {
  if (!isObject(metadata)) return undefined;
  for (const name of names) {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    const id = isObject(value) ? (name === names.at(-1) ? idText(value.id) : undefined) : idText(value);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Returns the id in its storable form, in which erasures specify it. */
export function idText(value: JsonValue | undefined): StorableText | undefined {
  // An exact number is written with its digits.
  const text = typeof value === "number" || isExactNumber(value) ? JSON.stringify(value) : value;
  return typeof text === "string" && text !== "" ? makeStorable(text) : undefined;
}

function isObject(json: JsonObject | readonly JsonValue[] | JsonValue | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json) && !isExactNumber(json);
}
