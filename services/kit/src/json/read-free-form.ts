// Reads free JSON: google.protobuf.Struct, Value and ListValue. Rejects only values that PostgreSQL or protobuf cannot
// hold.

import type { DescField, JsonValue } from "@bufbuild/protobuf";
import { isTelemetry } from "./constraints.ts";
import { isExactNumber, isObject, nearestDouble } from "./exact-number.ts";
import { toListValue, toValue } from "./free-value.ts";
import type { IssueList } from "./issue.ts";
import * as messages from "./issue-messages.ts";
import { isText, makeSendable, type ReadJson, type ValueReader, wrongType } from "./read-scalar.ts";

/** Reads a Struct, which generated code represents as a plain object. */
export const structReader = (field: DescField): ValueReader => {
  const read = freeFormReader(field);
  return {
    what: "object",
    json: (value, issues) => (isObject(value) ? read(value, issues) : wrongType("object", value, issues)),
    zero: () => ({}),
  };
};

/** Reads a Value, in which null is distinct from absence. */
export const valueReader = (field: DescField): ValueReader => {
  const read = freeFormReader(field);
  const json: ReadJson = (value, issues) => {
    const json = read(value, issues);
    return json === undefined ? undefined : toValue(json);
  };
  return { what: "JSON", json, zero: () => toValue(null) };
};

export const listValueReader = (field: DescField): ValueReader => {
  const read = freeFormReader(field);
  const json: ReadJson = (value, issues) => {
    if (!Array.isArray(value)) return wrongType("array", value, issues);
    const json = read(value, issues);
    // The value is free JSON, and a list.
    return json === undefined ? undefined : toListValue(json as JsonValue[]);
  };
  return { what: "array", json, zero: () => toListValue([]) };
};

type ReadFreeForm = (value: unknown, issues: IssueList) => JsonValue | undefined;

/** Creates a reader of free JSON that returns undefined after adding an issue. */
function freeFormReader(field: DescField): ReadFreeForm {
  if (!isTelemetry(field)) return (value, issues) => (isFreeForm(value, issues, isText, 1) ? value : undefined);
  return (value, issues) => {
    let isSendable = true;
    const check: TextCheck = (text) => {
      isSendable &&= text.isWellFormed();
      return true;
    };
    if (!isFreeForm(value, issues, check, 1)) return undefined;
    return isSendable ? value : sendable(value);
  };
}

function sendable(value: JsonValue): JsonValue {
  if (typeof value === "string") return makeSendable(value);
  if (Array.isArray(value)) return value.map(sendable);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [makeSendable(key), sendable(item as JsonValue)]),
  );
}

type TextCheck = (text: string, issues: IssueList) => boolean;

function isFreeForm(value: unknown, issues: IssueList, isTextAllowed: TextCheck, depth: number): value is JsonValue {
  if (typeof value === "string") return isTextAllowed(value, issues);
  if (value === null || typeof value === "boolean" || Number.isFinite(nearestDouble(value))) return true;
  if (typeof value !== "object" || isExactNumber(value)) {
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
      if (!isFreeForm(value[index], issues, isTextAllowed, depth + 1)) isValid = false;
      issues.leave();
    }
    return isValid;
  }
  const keys = Object.keys(value);
  if (keys.length > messages.jsonNamesMax) {
    issues.add("invalid_json", messages.tooWide);
    return false;
  }
  for (const key of keys) {
    issues.enter(key);
    // Check both, so that all issues are collected.
    if (!isTextAllowed(key, issues)) isValid = false;
    if (!isFreeForm((value as Record<string, unknown>)[key], issues, isTextAllowed, depth + 1)) isValid = false;
    issues.leave();
  }
  return isValid;
}
