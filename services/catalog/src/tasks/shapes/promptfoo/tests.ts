// Tests of promptfoo: defaults, combinations of variables, and rows of tables. Pure.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type Column, isObject, occurrenceColumn, type SourceRecord } from "../record.ts";
import { readAssertionText } from "./assertion-text.ts";
import { answerKey } from "./keys.ts";

export function listed(value: JsonValue | undefined): JsonValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

export function merge(fallback: JsonObject, own: JsonObject): JsonObject {
  const objects = (key: string) => ({ ...asObject(fallback[key]), ...asObject(own[key]) });
  const isAlone = asObject(own.options).disableDefaultAsserts === true;
  const assertions = [...(isAlone ? [] : listed(fallback.assert)), ...listed(own.assert)];
  const [vars, metadata, options] = ["vars", "metadata", "options"].map(objects);
  return {
    ...fallback,
    ...own,
    vars: vars ?? {},
    metadata: metadata ?? {},
    options: options ?? {},
    assert: assertions,
  };
}

/** Keys of a test: a row without them has only variables. */
const testKeys = ["vars", "assert", "options", "metadata", "provider", answerKey, "threshold", "$ref"];

/** True for a row whose columns are variables, also in JSON and YAML. */
export const isRowOfVariables = (values: ReadonlyMap<string, JsonValue>) => !testKeys.some((key) => values.has(key));

const asObject = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

/** Makes a set of variables per combination of the lists of texts, at most `max`, as promptfoo does. */
export function expand(vars: JsonObject, max: number): JsonObject[] {
  let sets: JsonObject[] = [{}];
  for (const [name, value] of Object.entries(vars)) {
    const isList = Array.isArray(value) && typeof value[0] === "string";
    const values = isList ? value : [value];
    sets = sets
      .slice(0, max)
      .flatMap((set) => values.slice(0, max).map((each) => ({ ...set, [name]: each })))
      .slice(0, max);
  }
  return sets;
}

/** Builds the test of a table's row, as promptfoo reads it. */
export function tableTest({ values }: SourceRecord, columns: readonly Column[]): JsonObject {
  const vars: Record<string, JsonValue> = {};
  const metadata: Record<string, JsonValue> = {};
  const assertions: JsonObject[] = [];
  const test: Record<string, JsonValue> = {};
  const options: Record<string, JsonValue> = {};
  const thresholds = new Map<number, number>();
  for (const { key, name } of columns) {
    const value = values.get(key);
    const [, metadataKey] = /^__metadata:(.+)$/.exec(name) ?? [];
    const [isThreshold, number = "1"] = /^__config:__expected(\d*):threshold$/.exec(name) ?? [];
    if (typeof value !== "string") {
      // The tool gives a test all variables of the header.
      if (!name.startsWith("__")) vars[name] = "";
    } else if (isThreshold !== undefined) thresholds.set(Number(number || 1), Number(value));
    else if (name === occurrenceColumn) test[name] = value;
    else if (name.startsWith("__expected")) assertions.push(readAssertionText(value.trim()));
    else if (metadataKey !== undefined) {
      const isList = metadataKey.endsWith("[]");
      const items = value.split(/(?<!\\),/).map((item) => item.trim().replaceAll("\\,", ","));
      metadata[isList ? metadataKey.slice(0, -2) : metadataKey] = isList ? items : value;
    } else if (name === "__prefix" || name === "__suffix") options[name.slice(2)] = value;
    else if (name.startsWith("__")) test[name.slice(2)] = value;
    else vars[name] = value;
  }
  const { metric, ...rest } = test;
  const named = assertions.map((assertion, at) => {
    const threshold = thresholds.get(at + 1);
    return { ...assertion, ...(metric !== undefined && { metric }), ...(threshold !== undefined && { threshold }) };
  });
  return { ...rest, vars, assert: named, metadata, options };
}

export const optionText = (value: JsonValue | undefined) => (typeof value === "string" ? value : "");

export function firstLine(text: string): string {
  const line = text.trim().split(/[\r\n]/)[0] ?? "";
  return shorten(line);
}

export function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59).toWellFormed()}…`;
}
