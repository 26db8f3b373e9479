// Free JSON: google.protobuf.Struct, Value and ListValue. Only what PostgreSQL or protobuf cannot hold is refused.

import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ListValueSchema, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { IssueList } from "./issue.ts";
import * as messages from "./issue-messages.ts";
import { isText, type ValueReader, wrongType } from "./read-scalar.ts";

/** Generated code represents a Struct as a plain object. */
export const structReader: ValueReader = {
  what: "object",
  json: (value, issues) => {
    if (!isObject(value)) return wrongType("object", value, issues);
    return isFreeForm(value, issues, 1) ? value : undefined;
  },
  zero: () => ({}),
};

/** A field of type Value distinguishes null from absence. */
export const valueReader: ValueReader = {
  what: "JSON",
  json: (value, issues) => (isFreeForm(value, issues, 1) ? fromJson(ValueSchema, value) : undefined),
  zero: () => fromJson(ValueSchema, null),
};

export const listValueReader: ValueReader = {
  what: "array",
  json: (value, issues) => {
    if (!Array.isArray(value)) return wrongType("array", value, issues);
    return isFreeForm(value, issues, 1) ? fromJson(ListValueSchema, value) : undefined;
  },
  zero: () => fromJson(ListValueSchema, []),
};

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isFreeForm(value: unknown, issues: IssueList, depth: number): value is JsonValue {
  if (typeof value === "string") return isText(value, issues);
  if (value === null || typeof value === "boolean" || Number.isFinite(value)) return true;
  if (typeof value !== "object") {
    wrongType("JSON", value, issues);
    return false;
  }
  if (depth > messages.jsonDepthMax) {
    issues.add("invalid_json", messages.tooDeep);
    return false;
  }
  let isValid = true;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      issues.enter(index);
      if (!isFreeForm(value[index], issues, depth + 1)) isValid = false;
      issues.leave();
    }
    return isValid;
  }
  for (const key of Object.keys(value)) {
    issues.enter(key);
    // Both are checked, so that all issues are gathered.
    if (!isText(key, issues)) isValid = false;
    if (!isFreeForm((value as Record<string, unknown>)[key], issues, depth + 1)) isValid = false;
    issues.leave();
  }
  return isValid;
}
