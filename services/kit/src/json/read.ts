// Reads this API's JSON into messages and collects all issues with their paths. null means absence, except in
// google.protobuf.Value and inline messages, where it is a value.

import {
  create,
  type DescField,
  type DescMessage,
  getOption,
  type Message,
  type MessageShape,
} from "@bufbuild/protobuf";
import { internal, open } from "@ems/proto/rest/v1/rest";
import { isRequired, itemsMax, type Part, pairsMax } from "./constraints.ts";
import { isObject } from "./exact-number.ts";
import { IssueList, type Issues } from "./issue.ts";
import * as messages from "./issue-messages.ts";
import { listValueReader, structReader, valueReader } from "./read-free-form.ts";
import {
  enumReader,
  isText,
  type ReadJson,
  scalarReader,
  timestampReader,
  type ValueReader,
  wrongType,
} from "./read-scalar.ts";
import { tolerantReader } from "./tolerant.ts";
import { isNullValue, valueKind } from "./value-kind.ts";

export interface ReadOptions {
  /** Path and query parameters by JSON name; the body must not repeat them. */
  readonly text?: Readonly<Record<string, readonly string[]>>;
}

export interface Reading<Desc extends DescMessage> extends Issues {
  /** The message is complete if there are no issues. */
  readonly message: MessageShape<Desc>;
}

/** Reads `value`, parsed JSON, and texts into a message. */
export function readJson<Desc extends DescMessage>(
  desc: Desc,
  value: unknown,
  options: ReadOptions = {},
): Reading<Desc> {
  const message = create(desc);
  const issues = new IssueList();
  fill(getPlan(desc), message, value, issues, options.text);
  return { message, issues: issues.issues, omitted: issues.omitted };
}

interface FieldPlan {
  readonly field: DescField;
  readonly isRequired: boolean;
  /** True if null means absent. */
  readonly isNullAbsent: boolean;
  readonly json: ReadJson;
  /** Reads the field from texts, such as query parameters; absent for types without a text form. */
  readonly texts?: (values: readonly string[], issues: IssueList) => unknown;
}

interface MessagePlan {
  /** True if unknown members are ignored. */
  readonly isOpen: boolean;
  readonly fields: Map<string, FieldPlan>;
  readonly required: FieldPlan[];
}

const plans = new WeakMap<DescMessage, MessagePlan>();

/** Prepares reading of a type; throws when it has no form in this API's JSON. */
export function prepareToRead(desc: DescMessage): void {
  getPlan(desc);
}

/** Returns true if the field can be read from text, such as a query parameter. */
export function readsText(field: DescField): boolean {
  return getPlan(field.parent).fields.get(field.jsonName)?.texts !== undefined;
}

function getPlan(desc: DescMessage): MessagePlan {
  const cached = plans.get(desc);
  if (cached !== undefined) return cached;
  const plan: MessagePlan = { isOpen: getOption(desc, open), fields: new Map(), required: [] };
  // Cache the plan before its fields are processed, because types may be recursive.
  plans.set(desc, plan);
  try {
    for (const field of desc.fields) {
      if (getOption(field, internal)) continue;
      const planned = fieldPlan(field);
      plan.fields.set(field.jsonName, planned);
      if (planned.isRequired) plan.required.push(planned);
    }
  } catch (error) {
    plans.delete(desc);
    throw error;
  }
  return plan;
}

function fieldPlan(field: DescField): FieldPlan {
  const common = { field, isRequired: isRequired(field), isNullAbsent: !isNullValue(field) };
  if (field.fieldKind === "list") {
    const item = tolerantReader(field, createReader(field, "items"));
    const max = itemsMax(field);
    const { text } = item;
    const json: ReadJson = (value, issues) => {
      return Array.isArray(value)
        ? readList(value, item.json, item.zero, max, issues)
        : wrongType("array", value, issues);
    };
    if (text === undefined) return { ...common, json };
    // Splits the values of a list, which may be repeated, comma-separated or both.
    const split = (values: readonly string[]) =>
      values.flatMap((part) => part.split(",")).filter((part) => part !== "");
    return { ...common, json, texts: (values, issues) => readList(split(values), text, item.zero, max, issues) };
  }
  if (field.fieldKind === "map") {
    const item = createReader(field, "values");
    const max = pairsMax(field);
    return {
      ...common,
      json: (value, issues) =>
        isObject(value) ? readMap(value, item, max, issues) : wrongType("object", value, issues),
    };
  }
  const { what, json, text } = createReader(field, "field");
  if (text === undefined) return { ...common, json };
  const readSingle = ([first = "", ...more]: readonly string[], issues: IssueList) =>
    more.length === 0 ? text(first, issues) : wrongType(what, [first, ...more], issues);
  return { ...common, json, texts: readSingle };
}

function createReader(field: DescField, part: Part): ValueReader {
  const kind = valueKind(field);
  switch (kind.kind) {
    case "scalar":
      return scalarReader(field, part, kind.scalar);
    case "enum":
      return enumReader(field, part);
    case "timestamp":
      return timestampReader(field);
    case "struct":
      return structReader(field);
    case "value":
      return valueReader(field);
    case "listValue":
      return listValueReader(field);
    case "message":
      return messageReader(kind.message);
    case "inline":
      return inlineReader(kind.message, kind.inner);
  }
}

function inlineReader(desc: DescMessage, inner: DescField): ValueReader {
  const { json } = fieldPlan(inner);
  const read: ReadJson = (value, issues) => {
    const held = value === null ? undefined : json(value, issues);
    if (held === undefined && value !== null) return undefined;
    return create(desc, held === undefined ? {} : { [inner.localName]: held });
  };
  return { what: inner.fieldKind === "list" ? "array" : "object", json: read, zero: () => create(desc) };
}

function messageReader(desc: DescMessage): ValueReader {
  const plan = getPlan(desc);
  const json: ReadJson = (value, issues) => {
    const message = create(desc);
    return fill(plan, message, value, issues) ? message : undefined;
  };
  return { what: "object", json, zero: () => create(desc) };
}

/** Reads into `message`; returns false if `value` is not an object. */
function fill(plan: MessagePlan, message: Message, value: unknown, issues: IssueList, text = noText): boolean {
  // The plan, not the compiler, knows the types of the properties.
  const properties: Record<string, unknown> = message;
  for (const [name, content] of Object.entries(text)) {
    const field = plan.fields.get(name);
    issues.enter(name);
    if (field?.texts !== undefined) assign(properties, field.field, field.texts(content, issues), issues);
    else if (isText(name, issues)) issues.add("unrecognized_keys", messages.unrecognizedKey(name));
    issues.leave();
  }
  if (!isObject(value)) {
    wrongType("object", value, issues);
    return false;
  }
  for (const name of Object.keys(value)) {
    const field = Object.hasOwn(text, name) ? undefined : plan.fields.get(name);
    if (field === undefined && issues.isFull && !plan.isOpen) {
      issues.omitted++;
      continue;
    }
    issues.enter(name);
    if (field !== undefined) {
      const content = value[name];
      if (!isAbsent(field, content)) assign(properties, field.field, field.json(content, issues), issues);
    } else if (!plan.isOpen && isText(name, issues)) issues.add("unrecognized_keys", messages.unrecognizedKey(name));
    issues.leave();
  }
  for (const field of plan.required) {
    const name = field.field.jsonName;
    if (Object.hasOwn(text, name) || (Object.hasOwn(value, name) && !isAbsent(field, value[name]))) continue;
    issues.enter(name);
    issues.add("invalid_type", messages.required);
    issues.leave();
  }
  return true;
}

const noText: NonNullable<ReadOptions["text"]> = {};

function isAbsent(field: FieldPlan, value: unknown): boolean {
  return value === undefined || (value === null && field.isNullAbsent);
}

function assign(properties: Record<string, unknown>, field: DescField, value: unknown, issues: IssueList): void {
  if (value === undefined) return;
  if (field.oneof === undefined) {
    properties[field.localName] = value;
    return;
  }
  const { localName, fields } = field.oneof;
  const group = properties[localName];
  const isTaken = isObject(group) && group.case !== undefined;
  if (isTaken) issues.add("custom", messages.onlyOneAllowed(fields.map(({ jsonName }) => jsonName)));
  else properties[localName] = { case: field.localName, value };
}

// Reads lists and maps. A zero value takes the place of an invalid element, so that later issues have the right index.

type Read<Item> = (item: Item, issues: IssueList) => unknown;

/** Skips a list longer than `max`: it could have as many issues as the request has bytes. */
function readList<Item>(
  items: readonly Item[],
  read: Read<Item>,
  zero: () => unknown,
  max: number,
  issues: IssueList,
): unknown[] | undefined {
  if (items.length > max) {
    issues.add("too_big", messages.size("Array", "at most", max));
    return undefined;
  }
  return items.map((item, index) => {
    issues.enter(index);
    const value = read(item, issues) ?? zero();
    issues.leave();
    return value;
  });
}

/** Skips a map larger than `max`: it could have as many issues as the request has bytes. */
function readMap(
  map: Record<string, unknown>,
  { json, zero }: ValueReader,
  max: number,
  issues: IssueList,
): Record<string, unknown> | undefined {
  const pairs = Object.entries(map);
  if (pairs.length > max) {
    issues.add("too_big", messages.size("Object", "at most", max));
    return undefined;
  }
  const entries = pairs.map(([key, item]) => {
    issues.enter(key);
    isText(key, issues);
    const value = json(item, issues) ?? zero();
    issues.leave();
    return [key, value];
  });
  // Unlike assignment, Object.fromEntries keeps `__proto__` as a key.
  return Object.fromEntries(entries);
}
