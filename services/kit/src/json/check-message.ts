// Applies the checks of the JSON reader to messages that arrived as protobuf: texts that PostgreSQL cannot hold,
// numbers that JSON cannot represent, times outside of the calendar, deep free JSON. Both interfaces use the same
// readers, so they respond alike.

import {
  clearField,
  create,
  type DescField,
  type DescMessage,
  getOption,
  isFieldSet,
  type Message,
  ScalarType,
  toJson,
} from "@bufbuild/protobuf";
import { type ListValue, ListValueSchema, type Timestamp, type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { internal } from "@ems/proto/rest/v1/rest";
import { itemsMax, type Part, pairsMax } from "./constraints.ts";
import { findSource } from "./free-value.ts";
import { IssueList, type Issues } from "./issue.ts";
import * as messages from "./issue-messages.ts";
import { listValueReader, structReader, valueReader } from "./read-free-form.ts";
import { isText, scalarReader, wrongType } from "./read-scalar.ts";
import { isTimestamp } from "./timestamp.ts";
import { tolerantReader } from "./tolerant.ts";
import { valueKind } from "./value-kind.ts";

/** Checks a value: adds its issues, and returns its stored form, such as an id in lower case. */
type Check = (value: unknown, issues: IssueList) => unknown;

interface FieldCheck {
  readonly field: DescField;
  /** Check of the field; undefined if clients cannot set the field. */
  readonly check: Check | undefined;
}

/** Converts `message` to the form that services expect; paths have JSON names. */
export function checkMessage(desc: DescMessage, message: Message): Issues {
  const issues = new IssueList();
  checkFields(desc, message, issues);
  return issues;
}

const plans = new WeakMap<DescMessage, readonly FieldCheck[]>();

function getPlan(desc: DescMessage): readonly FieldCheck[] {
  const cached = plans.get(desc);
  if (cached !== undefined) return cached;
  const plan: FieldCheck[] = [];
  // Cache the plan before its fields are processed, because types may be recursive.
  plans.set(desc, plan);
  for (const field of desc.fields) {
    if (getOption(field, internal)) plan.push({ field, check: undefined });
    else {
      const check = fieldCheck(field);
      if (check !== unchecked) plan.push({ field, check });
    }
  }
  return plan;
}

const unchecked: Check = (value) => value;

function checkFields(desc: DescMessage, message: Message, issues: IssueList): void {
  // The plan, not the compiler, knows the types of the properties.
  const properties: Record<string, unknown> = message;
  for (const { field, check } of getPlan(desc)) {
    if (!isFieldSet(message, field)) continue;
    const { oneof, localName } = field;
    if (check === undefined) {
      clearField(message, field);
      continue;
    }
    issues.enter(field.jsonName);
    if (oneof === undefined) properties[localName] = check(properties[localName], issues);
    else {
      const group = properties[oneof.localName] as { case: string; value: unknown };
      properties[oneof.localName] = { case: group.case, value: check(group.value, issues) };
    }
    issues.leave();
  }
}

function fieldCheck(field: DescField): Check {
  if (field.fieldKind === "list") {
    const check = partCheck(field, "items");
    if (check === unchecked) return unchecked;
    const item = tolerantReader(field, { what: "", json: check, zero: () => undefined });
    const max = itemsMax(field);
    return (value, issues) => {
      const items = value as unknown[];
      // Skip a list above its limit: rules reject it, and it may have as many issues as the request has bytes.
      if (items.length > max) return items;
      return items.map((each, index) => {
        issues.enter(index);
        const checked = item.json(each, issues);
        issues.leave();
        return checked;
      });
    };
  }
  if (field.fieldKind === "map") {
    const check = partCheck(field, "values");
    const max = pairsMax(field);
    return (value, issues) => {
      const pairs = Object.entries(value as Record<string, unknown>);
      if (pairs.length > max) return value;
      const checked = pairs.map(([key, item]) => {
        issues.enter(key);
        isText(key, issues);
        const result = check(item, issues);
        issues.leave();
        return [key, result];
      });
      return Object.fromEntries(checked);
    };
  }
  return partCheck(field, "field");
}

function partCheck(field: DescField, part: Part): Check {
  const kind = valueKind(field);
  switch (kind.kind) {
    case "scalar":
      return scalarCheck(field, part, kind.scalar);
    case "enum":
      return unchecked;
    case "timestamp":
      return (value, issues) => {
        if (!isTimestamp(value as Timestamp)) issues.add("invalid_string", messages.invalidDatetime);
        return value;
      };
    case "struct": {
      const { json } = structReader(field);
      return (value, issues) => json(value, issues) ?? value;
    }
    case "value":
      return freeForm(ValueSchema, valueReader(field).json);
    case "listValue":
      return freeForm(ListValueSchema, listValueReader(field).json);
    case "message":
    case "inline": {
      const { message } = kind;
      return (value, issues) => {
        checkFields(message, value as Message, issues);
        return value;
      };
    }
  }
}

/** A value that violates a JSON rule stays in the message: its issue rejects the request. */
function scalarCheck(field: DescField, part: Part, scalar: ScalarType): Check {
  const { json } = scalarReader(field, part, scalar);
  switch (scalar) {
    case ScalarType.STRING:
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return (value, issues) => json(value, issues) ?? value;
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return (value, issues) => {
        json(Number(value), issues);
        return value;
      };
    default:
      return unchecked;
  }
}

function freeForm(desc: typeof ValueSchema | typeof ListValueSchema, read: Check): Check {
  return (value, issues) => {
    const filled = withoutUnset(value as Value);
    let json: unknown;
    try {
      json = findSource(value as Value | ListValue) ?? toJson<DescMessage>(desc, filled);
    } catch {
      return wrongType("JSON", Number.NaN, issues) ?? value;
    }
    return read(json, issues) ?? value;
  };
}

/** Converts a Value without a kind to null. */
function withoutUnset(value: Value): Value {
  return value.$typeName === "google.protobuf.Value" && value.kind.case === undefined
    ? create(ValueSchema, { kind: { case: "nullValue", value: 0 } })
    : value;
}
