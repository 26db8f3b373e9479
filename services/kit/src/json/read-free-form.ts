// JSON of no declared shape: google.protobuf.Struct, Value and ListValue. It is kept as it is; only what cannot be stored or
// sent on is refused.

import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ListValueSchema, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { IssueList } from "./issue.ts";
import * as texts from "./issue-messages.ts";
import { isText, type ValueReader, wrongType } from "./read-scalar.ts";

/** Generated code keeps a Struct as the plain object itself. */
export const structReader: ValueReader = {
  what: "object",
  json: (value, at) => {
    if (!isObject(value)) return wrongType("object", value, at);
    return isFreeForm(value, at, 1) ? value : undefined;
  },
  zero: () => ({}),
};

/** null is a value here: a field of type Value tells `null` from absence. */
export const valueReader: ValueReader = {
  what: "JSON",
  json: (value, at) => (isFreeForm(value, at, 1) ? fromJson(ValueSchema, value) : undefined),
  zero: () => fromJson(ValueSchema, null),
};

export const listValueReader: ValueReader = {
  what: "array",
  json: (value, at) => {
    if (!Array.isArray(value)) return wrongType("array", value, at);
    return isFreeForm(value, at, 1) ? fromJson(ListValueSchema, value) : undefined;
  },
  zero: () => fromJson(ListValueSchema, []),
};

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isFreeForm(value: unknown, at: IssueList, depth: number): value is JsonValue {
  if (typeof value === "string") return isText(value, at);
  if (value === null || typeof value === "boolean" || Number.isFinite(value)) return true;
  if (typeof value !== "object") {
    wrongType("JSON", value, at);
    return false;
  }
  if (depth > texts.jsonDepthMax) {
    at.add("invalid_json", texts.tooDeep);
    return false;
  }
  let isGood = true;
  for (const [key, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    at.enter(key);
    // Both are asked, so that a bad key does not hide a bad value.
    if (typeof key === "string" && !isText(key, at)) isGood = false;
    if (!isFreeForm(item, at, depth + 1)) isGood = false;
    at.leave();
  }
  return isGood;
}
