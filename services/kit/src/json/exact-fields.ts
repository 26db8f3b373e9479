// Exact numbers in messages. google.protobuf.Value holds doubles only: an encoded message has the nearest double in its
// place, and the digits in a field of their own (ems.type.v1.ExactNumbers), which other readers ignore.

import {
  create,
  type DescField,
  type DescMessage,
  fromBinary,
  type JsonObject,
  type JsonValue,
  type Message,
  toBinary,
} from "@bufbuild/protobuf";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { ListValue, Value } from "@bufbuild/protobuf/wkt";
import { type ExactNumber as Entry, ExactNumberSchema, ExactNumbersSchema } from "@ems/proto/type/v1/exact_number";
import { containsExactNumber, isExactNumber, readNumber, withDoubles } from "./exact-number.ts";
import { findSource, fromListValue, fromValue, toListValue, toValue } from "./free-value.ts";

/** Number of the field that holds the digits in every message: the last number, which no message declares. */
const fieldNumber = 536_870_911;
const wireType = WireType.LengthDelimited;
/** The field's tag. No text contains these bytes, since they are not UTF-8. */
const tag: Uint8Array = new BinaryWriter().tag(fieldNumber, wireType).finish();

/** An exact number and its place: names of fields and members, and indexes. */
interface Found {
  readonly path: readonly string[];
  readonly digits: string;
}

/** Splits a message into one with doubles and the digits of its exact numbers; nearly all messages have none. */
export function splitExact<M extends Message>(desc: DescMessage, message: M): { message: M; found: Found[] } {
  const found: Found[] = [];
  if (!hasExact(desc, message)) return { message, found };
  return { message: splitMessage(desc, message, [], found), found };
}

/** Puts digits back to where their doubles are. Ignores digits that do not belong to a double there. */
export function joinExact(desc: DescMessage, message: Message, found: readonly Found[]): void {
  for (const { path, digits } of found) if (path.length <= pathMax) joinMessage(desc, message, path, digits);
}

/** Above the depth of all messages with free JSON in them. */
const pathMax = 100;

/** Returns the message with the field that holds the digits. */
export function withExactField<M extends Message>(message: M, found: readonly Found[]): M {
  let before: readonly string[] = [];
  const numbers = found.map(({ path, digits }) => {
    const differs = path.findIndex((part, at) => part !== before[at]);
    const shared = differs < 0 ? path.length : differs;
    before = path;
    return create(ExactNumberSchema, { shared, path: path.slice(shared), digits });
  });
  const bytes = toBinary(ExactNumbersSchema, create(ExactNumbersSchema, { numbers }));
  const data = new BinaryWriter().bytes(bytes).finish();
  const copied = copy(message);
  copied.$unknown = [...(message.$unknown ?? []), { no: fieldNumber, wireType, data }];
  return copied;
}

/** Applies the digits in the encoded message to the decoded one, and removes their field from it. */
export function applyExactField(desc: DescMessage, message: Message, bytes: Uint8Array): void {
  // A native search; nearly all messages have no such field.
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(tag)) return;
  const rest = message.$unknown?.filter(({ no }) => no !== fieldNumber) ?? [];
  if (rest.length > 0) message.$unknown = rest;
  else delete message.$unknown;
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (number !== fieldNumber || type !== wireType) reader.skip(type, number);
    else joinExact(desc, message, readPaths(fromBinary(ExactNumbersSchema, reader.bytes()).numbers));
  }
}

function readPaths(numbers: readonly Entry[]): Found[] {
  let before: readonly string[] = [];
  return numbers.map(({ shared, path, digits }) => {
    before = [...before.slice(0, Math.min(shared, pathMax)), ...path];
    return { path: before, digits };
  });
}

/** Finds the exact numbers of parsed JSON. */
export function findExact(value: JsonValue, path: readonly string[] = [], found: Found[] = []): Found[] {
  if (typeof value !== "object" || value === null) return found;
  if (isExactNumber(value)) found.push({ path, digits: value.rawJSON });
  else for (const [name, item] of Object.entries(value)) findExact(item, [...path, name], found);
  return found;
}

/** Replaces the double at the path; returns the same value if the digits are not those of a double there. */
export function joinJson(value: JsonValue, path: readonly string[], digits: string): JsonValue {
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === "number" ? exactly(value, digits) : value;
  if (typeof value !== "object" || value === null || isExactNumber(value) || !hasMember(value, name)) return value;
  // Lists and objects alike; the object is the reader's own.
  const members = value as JsonObject;
  const joined = joinJson(members[name] ?? null, rest, digits);
  // Assignment would not store the key `__proto__`.
  if (joined !== members[name]) Object.defineProperty(members, name, { value: joined, ...plain });
  return value;
}

function hasMember(value: object, name: string): boolean {
  return Object.hasOwn(value, name) && !(Array.isArray(value) && name === "length");
}

const plain = { configurable: true, enumerable: true, writable: true };

function exactly(double: number, digits: string): JsonValue {
  return Number(digits) === double ? readNumber(digits, double) : double;
}

type FreeKind = "struct" | "value" | "listValue";

interface FieldPlan {
  readonly field: DescField;
  /** Kind of free JSON; undefined for a message that contains some. */
  readonly free: FreeKind | undefined;
}

const freeKinds: Readonly<Record<string, FreeKind>> = {
  "google.protobuf.Struct": "struct",
  "google.protobuf.Value": "value",
  "google.protobuf.ListValue": "listValue",
};

const plans = new WeakMap<DescMessage, readonly FieldPlan[]>();

/** Lists the fields that may contain free JSON. */
function getPlan(desc: DescMessage): readonly FieldPlan[] {
  const cached = plans.get(desc);
  if (cached !== undefined) return cached;
  const plan = desc.fields.flatMap((field): FieldPlan[] => {
    if (field.message === undefined) return [];
    const free = freeKinds[field.message.typeName];
    return free !== undefined || hasFree(field.message, new Set()) ? [{ field, free }] : [];
  });
  plans.set(desc, plan);
  return plan;
}

function hasFree({ fields }: DescMessage, visited: Set<DescMessage>): boolean {
  return fields.some(({ message }) => {
    if (message === undefined || visited.has(message)) return false;
    visited.add(message);
    return freeKinds[message.typeName] !== undefined || hasFree(message, visited);
  });
}

function hasExact(desc: DescMessage, message: Message): boolean {
  return getPlan(desc).some(({ field, free }) => {
    const value = getField(message, field);
    if (value === undefined || value === null) return false;
    const check = (part: unknown) => {
      if (free === undefined) return field.message !== undefined && hasExact(field.message, part as Message);
      return containsExactNumber(free === "struct" ? part : findSource(part as Value | ListValue));
    };
    if (field.fieldKind === "list") return (value as readonly unknown[]).some(check);
    return field.fieldKind === "map" ? Object.values(value).some(check) : check(value);
  });
}

function splitMessage<M extends Message>(desc: DescMessage, message: M, path: readonly string[], found: Found[]): M {
  let split: M | undefined;
  for (const plan of getPlan(desc)) {
    const value = getField(message, plan.field);
    if (value === undefined || value === null) continue;
    const replaced = splitField(plan, value, [...path, plan.field.jsonName], found);
    if (replaced === value) continue;
    split ??= copy(message);
    setField(split, plan.field, replaced);
  }
  return split ?? message;
}

function splitField({ field, free }: FieldPlan, value: unknown, path: readonly string[], found: Found[]): unknown {
  const split = (part: unknown, at: readonly string[]) => {
    if (free !== undefined) return splitFree(free, part, at, found);
    // The plan has only messages.
    return field.message === undefined ? part : splitMessage(field.message, part as Message, at, found);
  };
  if (field.fieldKind === "list") {
    const items = value as readonly unknown[];
    const parts = items.map((item, index) => split(item, [...path, String(index)]));
    return parts.every((part, index) => part === items[index]) ? items : parts;
  }
  if (field.fieldKind === "map") {
    const pairs = Object.entries(value as object);
    const parts = pairs.map(([key, item]) => [key, split(item, [...path, key])] as const);
    return parts.every(([, part], index) => part === pairs[index]?.[1]) ? value : Object.fromEntries(parts);
  }
  return split(value, path);
}

function splitFree(free: FreeKind, value: unknown, path: readonly string[], found: Found[]): unknown {
  const count = found.length;
  const json = readFree(free, value);
  if (json !== undefined) findExact(json, path, found);
  return found.length === count || json === undefined ? value : makeFree(free, withDoubles(json));
}

function joinMessage(desc: DescMessage, message: Message, [name, ...rest]: readonly string[], digits: string): void {
  const plan = getPlan(desc).find(({ field }) => field.jsonName === name || field.name === name);
  const value = plan && getField(message, plan.field);
  if (plan === undefined || value === undefined || value === null) return;
  const { field } = plan;
  if (field.fieldKind !== "list" && field.fieldKind !== "map") {
    setField(message, field, joinPart(plan, value, rest, digits));
    return;
  }
  const [key, ...inner] = rest;
  if (key === undefined || !hasMember(value, key)) return;
  const parts = value as Record<string, unknown>;
  const joined = joinPart(plan, parts[key], inner, digits);
  if (joined !== parts[key]) Object.defineProperty(parts, key, { value: joined, ...plain });
}

function joinPart({ field, free }: FieldPlan, part: unknown, path: readonly string[], digits: string): unknown {
  if (free === undefined) {
    if (field.message !== undefined) joinMessage(field.message, part as Message, path, digits);
    return part;
  }
  const json = readFree(free, part);
  if (json === undefined) return part;
  const joined = joinJson(json, path, digits);
  return free === "struct" ? joined : makeFree(free, joined);
}

function readFree(free: FreeKind, value: unknown): JsonValue | undefined {
  if (free === "struct") return value as JsonObject;
  if (free === "listValue") return fromListValue(value as ListValue);
  const message = value as Value;
  return message.kind.case === undefined ? undefined : fromValue(message);
}

function makeFree(free: FreeKind, json: JsonValue): unknown {
  if (free === "struct") return json;
  return free === "listValue" ? toListValue(json as JsonValue[]) : toValue(json);
}

function getField(message: Message, { localName, oneof }: DescField): unknown {
  const properties = message as unknown as Readonly<Record<string, unknown>>;
  if (oneof === undefined) return properties[localName];
  const group = properties[oneof.localName] as { readonly case?: string; readonly value?: unknown };
  return group.case === localName ? group.value : undefined;
}

function setField(message: Message, { localName, oneof }: DescField, value: unknown): void {
  if (oneof === undefined) Reflect.set(message, localName, value);
  else Reflect.set(message, oneof.localName, { case: localName, value });
}

function copy<M extends Message>(message: M): M {
  return Object.assign(Object.create(Object.getPrototypeOf(message)), message);
}
