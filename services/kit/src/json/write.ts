// Messages as this API's JSON, which is not the proto3 mapping: 64-bit integers are numbers, enum values lose their prefix,
// what is unset is null, timestamps have milliseconds. Plain values rather than text: events carry them into a database
// column, and with JSON.stringify they cost no more than writing the text at once.

import {
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type Message,
  ScalarType,
  toJson,
} from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import {
  FeatureSet_FieldPresence,
  type ListValue,
  ListValueSchema,
  type Value,
  ValueSchema,
} from "@bufbuild/protobuf/wkt";
import { valueName } from "./enum-names.ts";
import { writeTimestamp } from "./timestamp.ts";
import { isNullValue, valueKind } from "./value-kind.ts";

export type MessageWriter = (message: Message) => JsonObject;

/** Takes what the descriptor says that a property holds. The compiler cannot know it, so callers cast to `never`. */
type ValueWriter = (value: never) => JsonValue;
type FieldWriter = (message: Record<string, unknown>, out: JsonObject) => void;

/** `message` as this API's JSON. */
export function writeJson(desc: DescMessage, message: Message): JsonObject {
  return writerOf(desc)(message);
}

const writers = new WeakMap<DescMessage, MessageWriter>();

/** What writes messages of a type, made once. Throws when the type holds something that this API's JSON has no form for. */
export function writerOf(desc: DescMessage): MessageWriter {
  const known = writers.get(desc);
  if (known !== undefined) return known;
  const fields: FieldWriter[] = [];
  const writer: MessageWriter = (message) => {
    const out: JsonObject = {};
    for (const field of fields) field(message, out);
    return out;
  };
  // Known before its fields are, for types that hold themselves.
  writers.set(desc, writer);
  try {
    for (const field of desc.fields) fields.push(fieldWriter(field));
  } catch (error) {
    writers.delete(desc);
    throw error;
  }
  return writer;
}

function fieldWriter(field: DescField): FieldWriter {
  const { localName, jsonName } = field;
  const write = valueWriter(field);
  if (field.fieldKind === "list") {
    return (message, out) => {
      out[jsonName] = (message[localName] as never[]).map((item) => write(item));
    };
  }
  if (field.fieldKind === "map") {
    return (message, out) => {
      const entries = Object.entries(message[localName] as Record<string, never>);
      // Not by assignment: `__proto__` is a key like any other.
      out[jsonName] = Object.fromEntries(entries.map(([key, value]) => [key, write(value)]));
    };
  }
  if (field.oneof !== undefined) {
    const group = field.oneof.localName;
    return (message, out) => {
      const member = message[group] as { case?: string; value: never };
      if (member.case === localName) out[jsonName] = write(member.value);
    };
  }
  const isLeftOut = isNullValue(field);
  const isImplicit = field.presence === FeatureSet_FieldPresence.IMPLICIT;
  return (message, out) => {
    // Own properties only: in an edition, an unset field shows its default through the prototype.
    const value = isImplicit || Object.hasOwn(message, localName) ? message[localName] : undefined;
    if (value !== undefined) out[jsonName] = write(value as never);
    else if (!isLeftOut) out[jsonName] = null;
  };
}

function valueWriter(field: DescField): ValueWriter {
  const kind = valueKind(field);
  switch (kind.kind) {
    case "scalar":
      return scalarWriter(kind.scalar);
    case "enum": {
      const names = new Map(kind.enum.values.map((value) => [value.number, valueName(value) ?? null]));
      // A value that only a newer service knows has no name here.
      return (value: number) => names.get(value) ?? null;
    }
    case "message":
      return writerOf(kind.message);
    case "inline": {
      const write = writerOf(kind.message);
      return (value: Message) => write(value)[kind.inner.jsonName] ?? null;
    }
    case "timestamp":
      return writeTimestamp;
    case "struct":
      return (value: JsonObject) => value;
    case "value":
      return (value: Value) => (value.kind.case === undefined ? null : toJson(ValueSchema, value));
    case "listValue":
      return (value: ListValue) => toJson(ListValueSchema, value);
  }
}

function scalarWriter(scalar: ScalarType): ValueWriter {
  switch (scalar) {
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return (value: bigint) => Number(value);
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return (value: number) => (Number.isFinite(value) ? value : null);
    case ScalarType.BYTES:
      return (value: Uint8Array) => base64Encode(value);
    default:
      return (value: JsonValue) => value;
  }
}
