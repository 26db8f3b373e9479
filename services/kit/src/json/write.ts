// Writes messages as this API's JSON: 64-bit integers are numbers, enum values have no prefix, unset fields are null
// (absent in sparse messages and for `omitted` fields), timestamps have milliseconds. Measured: writing values for JSON.stringify costs no more
// than writing text.

import {
  type DescField,
  type DescMessage,
  getOption,
  type JsonObject,
  type JsonValue,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import { FeatureSet_FieldPresence, type ListValue, type Value } from "@bufbuild/protobuf/wkt";
import { internal, omitted, sparse } from "@ems/proto/rest/v1/rest";
import { valueName } from "../enum.ts";
import { fromListValue, fromValue } from "./free-value.ts";
import { writeTimestamp } from "./timestamp.ts";
import { isNullValue, valueKind } from "./value-kind.ts";

export type MessageWriter = (message: Message) => JsonObject;

/** The parameter has the type that the descriptor declares; callers cast to `never`. */
type ValueWriter = (value: never) => JsonValue;
type FieldWriter = (message: Record<string, unknown>, out: JsonObject) => void;

/** Converts `message` to this API's JSON. */
export function writeJson(desc: DescMessage, message: Message): JsonObject {
  return getWriter(desc)(message);
}

const writers = new WeakMap<DescMessage, MessageWriter>();

/** Returns the cached writer of a type. Throws if the type has no form in this API's JSON. */
export function getWriter(desc: DescMessage): MessageWriter {
  const cached = writers.get(desc);
  if (cached !== undefined) return cached;
  const fields: FieldWriter[] = [];
  const writer: MessageWriter = (message) => {
    const out: JsonObject = {};
    for (const field of fields) field(message, out);
    return out;
  };
  // Cache the writer before its fields are processed, because types may be recursive.
  writers.set(desc, writer);
  try {
    const isSparse = getOption(desc, sparse);
    for (const field of desc.fields) if (!getOption(field, internal)) fields.push(fieldWriter(field, isSparse));
  } catch (error) {
    writers.delete(desc);
    throw error;
  }
  return writer;
}

function fieldWriter(field: DescField, isSparse: boolean): FieldWriter {
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
      // Unlike assignment, Object.fromEntries keeps `__proto__` as a key.
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
  const isOmitted = isSparse || getOption(field, omitted) || isNullValue(field);
  const isImplicit = field.presence === FeatureSet_FieldPresence.IMPLICIT;
  return (message, out) => {
    // Own properties only: with editions, the prototype has the default of an unset field.
    const value = isImplicit || Object.hasOwn(message, localName) ? message[localName] : undefined;
    if (value !== undefined) out[jsonName] = write(value as never);
    else if (!isOmitted) out[jsonName] = null;
  };
}

function valueWriter(field: DescField): ValueWriter {
  const kind = valueKind(field);
  switch (kind.kind) {
    case "scalar":
      return scalarWriter(kind.scalar);
    case "enum": {
      const names = new Map(kind.enum.values.map((value) => [value.number, valueName(value) ?? null]));
      // Values of a newer contract have no name here.
      return (value: number) => names.get(value) ?? null;
    }
    case "message":
      return getWriter(kind.message);
    case "inline": {
      const write = getWriter(kind.message);
      return (value: Message) => write(value)[kind.inner.jsonName] ?? null;
    }
    case "timestamp":
      return writeTimestamp;
    case "struct":
      return (value: JsonObject) => value;
    case "value":
      return (value: Value) => (value.kind.case === undefined ? null : fromValue(value));
    case "listValue":
      return (value: ListValue) => fromListValue(value);
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
