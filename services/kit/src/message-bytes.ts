// Computes the size of a message in protobuf's binary format without encoding it, in a fifth of the time.

import { type DescField, type DescMessage, type JsonValue, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence, type Value } from "@bufbuild/protobuf/wkt";
import { isExactNumber } from "./json/exact-number.ts";
import { fromValue } from "./json/free-value.ts";

type CountBytes = (value: never) => number;

/** Returns the length of `encodeMessage(desc, message)`; about, if it has exact numbers. */
export function messageBytes<Desc extends DescMessage>(desc: Desc, message: MessageShape<Desc>): number {
  return getCounter(desc)(message as never);
}

const counters = new WeakMap<DescMessage, CountBytes>();

function getCounter(desc: DescMessage): CountBytes {
  const cached = counters.get(desc);
  if (cached !== undefined) return cached;
  const fields: ((message: Record<string, unknown>) => number)[] = [];
  const counter = (message: Record<string, unknown>) => {
    let bytes = 0;
    for (const field of fields) bytes += field(message);
    return bytes;
  };
  // Cache the counter before its fields are processed, because types may be recursive.
  counters.set(desc, counter as CountBytes);
  for (const field of desc.fields) fields.push(fieldCounter(field));
  return counter as CountBytes;
}

/** Returns a function that counts the bytes of a message's field, including tags. */
function fieldCounter(field: DescField): (message: Record<string, unknown>) => number {
  const { localName, oneof } = field;
  const tag = varintBytes(field.number << 3);
  const countBytes = valueCounter(field) as (value: unknown) => number;
  if (field.fieldKind === "list") {
    const isPacked = field.packed;
    return (message) => {
      const items = message[localName] as unknown[];
      let bytes = 0;
      for (const item of items) bytes += isPacked ? countBytes(item) : tag + countBytes(item);
      return isPacked && bytes > 0 ? tag + delimited(bytes) : bytes;
    };
  }
  if (field.fieldKind === "map") {
    if (field.mapKey !== ScalarType.STRING) throw new Error(`${field} has keys that are not strings`);
    return (message) => {
      let bytes = 0;
      for (const [key, value] of Object.entries(message[localName] as object))
        bytes += tag + delimited(2 + textBytes(key) + countBytes(value));
      return bytes;
    };
  }
  if (oneof !== undefined) {
    return (message) => {
      const { case: name, value } = message[oneof.localName] as { case?: string; value?: unknown };
      return name === localName ? tag + countBytes(value) : 0;
    };
  }
  const isImplicit = field.presence === FeatureSet_FieldPresence.IMPLICIT;
  return (message) => {
    const value = message[localName];
    if (value === undefined || (isImplicit && isZero(value)) || !Object.hasOwn(message, localName)) return 0;
    return tag + countBytes(value);
  };
}

function isZero(value: unknown): boolean {
  return value === "" || value === 0n || value === false || Object.is(value, 0) || (value as Uint8Array).length === 0;
}

/** Returns a function that counts a value's bytes: without its tag, but with its length prefix, if any. */
function valueCounter(field: DescField): CountBytes {
  if (field.message !== undefined) {
    const { typeName } = field.message;
    // Generated code represents a Struct as a plain object, except within a Value.
    const isJson = typeName === "google.protobuf.Struct" && field.parent.typeName !== "google.protobuf.Value";
    if (isJson) return (value: object) => delimited(structBytes(value));
    if (typeName === "google.protobuf.Value") return (value: Value) => delimited(valueOrUnsetBytes(value));
    const counter = getCounter(field.message) as (message: unknown) => number;
    return (message: object) => delimited(counter(message));
  }
  return scalarCounter(field);
}

function scalarCounter(field: DescField): CountBytes {
  switch (field.scalar) {
    case ScalarType.STRING:
      return textBytes;
    case ScalarType.BYTES:
      return (value: Uint8Array) => delimited(value.length);
    case ScalarType.BOOL:
      return () => 1;
    case ScalarType.FLOAT:
      return () => 4;
    case ScalarType.DOUBLE:
      return () => 8;
    // An enum has no scalar type.
    case undefined:
    case ScalarType.INT32:
    case ScalarType.UINT32:
      return (value: number) => (value < 0 ? 10 : varintBytes(value));
    case ScalarType.INT64:
    case ScalarType.UINT64:
      return (value: bigint) => (value < 0n ? 10 : bigVarintBytes(value));
    default:
      throw new Error(`${field} has an unsupported type: its size is unknown`);
  }
}

function structBytes(object: object): number {
  let bytes = 0;
  for (const [key, value] of Object.entries(object)) {
    bytes += 1 + delimited(2 + textBytes(key) + delimited(valueBytes(value)));
  }
  return bytes;
}

function valueOrUnsetBytes(value: Value): number {
  return value.kind.case === undefined ? 0 : valueBytes(fromValue(value));
}

/** Counts the bytes of a google.protobuf.Value. */
function valueBytes(value: JsonValue): number {
  if (typeof value === "string") return 1 + textBytes(value);
  if (typeof value === "number") return 9;
  if (typeof value !== "object" || value === null) return 2;
  // A double, and about this much in the field with its digits.
  if (isExactNumber(value)) return 9 + exactNumberBytes + value.rawJSON.length;
  if (!Array.isArray(value)) return 1 + delimited(structBytes(value));
  let bytes = 0;
  for (const item of value) bytes += 1 + delimited(valueBytes(item));
  return 1 + delimited(bytes);
}

/** Estimate of the path and framing of an exact number, which most numbers share with the one before. */
const exactNumberBytes = 32;

function textBytes(text: string): number {
  return delimited(Buffer.byteLength(text));
}

function delimited(bytes: number): number {
  return varintBytes(bytes) + bytes;
}

/** Counts the bytes of a length prefix, or of another whole number up to 2^53. */
function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 128; rest /= 128) bytes++;
  return bytes;
}

function bigVarintBytes(value: bigint): number {
  return value < 128n ? 1 : Math.ceil(value.toString(2).length / 7);
}
