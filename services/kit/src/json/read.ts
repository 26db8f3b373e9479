// This API's JSON into messages. Every issue is gathered, with its path, so that one answer tells all of them; nothing is
// thrown for what a client may send.
//
// What null means: nothing was given, for a field that knows being unset (optional and message fields). So it does for an
// enum, whose *_UNSPECIFIED is written as null. For google.protobuf.Value it is a value, and for an inline message the one
// with nothing in it. Elsewhere it is of the wrong type.

import { create, type DescField, type DescMessage, type Message, type MessageShape } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { isRequired, itemsMax, type Part, pairsMax } from "./constraints.ts";
import { type Issue, IssueList } from "./issue.ts";
import * as texts from "./issue-messages.ts";
import { isObject, listValueReader, structReader, valueReader } from "./read-free-form.ts";
import { readList, readMap } from "./read-many.ts";
import {
  enumReader,
  isText,
  type ReadJson,
  scalarReader,
  timestampReader,
  type ValueReader,
  wrongType,
} from "./read-scalar.ts";
import { isNullValue, valueKind } from "./value-kind.ts";

export interface ReadOptions {
  /** Fields that come as text, by JSON name: path and query parameters. `value` may not hold them as well. */
  readonly text?: Readonly<Record<string, readonly string[]>>;
}

export interface Reading<Desc extends DescMessage> {
  /** What could be read. Fit for use when there are no issues. */
  message: MessageShape<Desc>;
  issues: Issue[];
}

/** Reads `value`, parsed JSON, and texts into a message. */
export function readJson<Desc extends DescMessage>(
  desc: Desc,
  value: unknown,
  options: ReadOptions = {},
): Reading<Desc> {
  const message = create(desc);
  const at = new IssueList();
  fill(planOf(desc), message, value, at, options.text);
  return { message, issues: at.issues };
}

interface FieldPlan {
  readonly field: DescField;
  readonly isRequired: boolean;
  /** Whether null says that nothing was given. */
  readonly isNullAbsent: boolean;
  readonly json: ReadJson;
  /** Absent where no text can say the field's value. */
  readonly texts?: (given: readonly string[], at: IssueList) => unknown;
}

interface MessagePlan {
  readonly fields: Map<string, FieldPlan>;
  readonly required: FieldPlan[];
}

const plans = new WeakMap<DescMessage, MessagePlan>();

/** Makes ready for reading a type; throws when it holds something that this API's JSON has no form for. */
export function prepareToRead(desc: DescMessage): void {
  planOf(desc);
}

/** Whether text, such as a query parameter, can say the field's value. */
export function readsText(field: DescField): boolean {
  return planOf(field.parent).fields.get(field.jsonName)?.texts !== undefined;
}

function planOf(desc: DescMessage): MessagePlan {
  const known = plans.get(desc);
  if (known !== undefined) return known;
  const plan: MessagePlan = { fields: new Map(), required: [] };
  // Known before its fields are, for types that hold themselves.
  plans.set(desc, plan);
  try {
    for (const field of desc.fields) {
      const made = fieldPlan(field);
      plan.fields.set(field.jsonName, made);
      if (made.isRequired) plan.required.push(made);
    }
  } catch (error) {
    plans.delete(desc);
    throw error;
  }
  return plan;
}

function fieldPlan(field: DescField): FieldPlan {
  const knowsUnset = field.presence !== FeatureSet_FieldPresence.IMPLICIT || field.fieldKind === "enum";
  const required = isRequired(field);
  const common = {
    field,
    isRequired: required,
    isNullAbsent: (knowsUnset || required) && !isNullValue(field),
  };
  if (field.fieldKind === "list") {
    const item = readerOf(field, "items");
    const max = itemsMax(field);
    const { text } = item;
    const json: ReadJson = (value, at) => {
      return Array.isArray(value) ? readList(value, item.json, item.zero, max, at) : wrongType("array", value, at);
    };
    if (text === undefined) return { ...common, json };
    // Repeated, comma-joined or both.
    const split = (given: readonly string[]) => given.flatMap((part) => part.split(","));
    return { ...common, json, texts: (given, at) => readList(split(given), text, item.zero, max, at) };
  }
  if (field.fieldKind === "map") {
    const item = readerOf(field, "values");
    const max = pairsMax(field);
    return {
      ...common,
      json: (value, at) => (isObject(value) ? readMap(value, item, max, at) : wrongType("object", value, at)),
    };
  }
  const { what, json, text } = readerOf(field, "field");
  if (text === undefined) return { ...common, json };
  const one = ([first = "", ...more]: readonly string[], at: IssueList) =>
    more.length === 0 ? text(first, at) : wrongType(what, [first, ...more], at);
  return { ...common, json, texts: one };
}

function readerOf(field: DescField, part: Part): ValueReader {
  const kind = valueKind(field);
  switch (kind.kind) {
    case "scalar":
      return scalarReader(field, part, kind.scalar);
    case "enum":
      return enumReader(field, part);
    case "timestamp":
      return timestampReader;
    case "struct":
      return structReader;
    case "value":
      return valueReader;
    case "listValue":
      return listValueReader;
    case "message":
      return messageReader(kind.message);
    case "inline":
      return inlineReader(kind.message, kind.inner);
  }
}

function inlineReader(desc: DescMessage, inner: DescField): ValueReader {
  const { json } = fieldPlan(inner);
  const read: ReadJson = (value, at) => {
    const held = value === null ? undefined : json(value, at);
    if (held === undefined && value !== null) return undefined;
    return create(desc, held === undefined ? {} : { [inner.localName]: held });
  };
  return { what: inner.fieldKind === "list" ? "array" : "object", json: read, zero: () => create(desc) };
}

function messageReader(desc: DescMessage): ValueReader {
  const plan = planOf(desc);
  const json: ReadJson = (value, at) => {
    const message = create(desc);
    return fill(plan, message, value, at) ? message : undefined;
  };
  return { what: "object", json, zero: () => create(desc) };
}

/** Reads into `message`; false when `value` is no object. */
function fill(plan: MessagePlan, message: Message, value: unknown, at: IssueList, text = noText): boolean {
  // A message is a plain object with a property for each field; the plan, not the compiler, knows their types.
  const slots: Record<string, unknown> = message;
  for (const [name, given] of Object.entries(text)) {
    const field = plan.fields.get(name);
    at.enter(name);
    if (field?.texts !== undefined) place(slots, field.field, field.texts(given, at), at);
    else if (isText(name, at)) at.add("unrecognized_keys", texts.unrecognizedKey(name));
    at.leave();
  }
  if (!isObject(value)) {
    wrongType("object", value, at);
    return false;
  }
  for (const [name, given] of Object.entries(value)) {
    const field = Object.hasOwn(text, name) ? undefined : plan.fields.get(name);
    at.enter(name);
    if (field !== undefined) {
      if (!isAbsent(field, given)) place(slots, field.field, field.json(given, at), at);
    } else if (isText(name, at)) at.add("unrecognized_keys", texts.unrecognizedKey(name));
    at.leave();
  }
  for (const field of plan.required) {
    const name = field.field.jsonName;
    if (Object.hasOwn(text, name) || (Object.hasOwn(value, name) && !isAbsent(field, value[name]))) continue;
    at.enter(name);
    at.add("invalid_type", texts.required);
    at.leave();
  }
  return true;
}

const noText: NonNullable<ReadOptions["text"]> = {};

function isAbsent(field: FieldPlan, value: unknown): boolean {
  return value === undefined || (value === null && field.isNullAbsent);
}

function place(slots: Record<string, unknown>, field: DescField, value: unknown, at: IssueList): void {
  if (value === undefined) return;
  if (field.oneof === undefined) {
    slots[field.localName] = value;
    return;
  }
  const { localName, fields } = field.oneof;
  const group = slots[localName];
  const isTaken = isObject(group) && group.case !== undefined;
  if (isTaken) at.add("custom", texts.onlyOneOf(fields.map(({ jsonName }) => jsonName)));
  else slots[localName] = { case: field.localName, value };
}
