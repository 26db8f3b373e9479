// Requests with hostile values in every field, made from the descriptors: everything that a program can send.

import {
  create,
  type DescField,
  type DescMessage,
  type DescMethodUnary,
  type Message,
  protoInt64,
  ScalarType,
} from "@bufbuild/protobuf";
import { newId } from "@ems/kit/id";
import { getRules, isRequired } from "@ems/kit/json/constraints";

export interface Hostile {
  /** Path of the field and name of the value: `filter.status = unknown number`. */
  readonly name: string;
  readonly message: Message;
}

type Values = Record<string, unknown>;

const depthMax = 5;
const digits = "9".repeat(400);
const long = "x".repeat(70_000);

const texts: Values = {
  empty: "",
  NUL: "a\0b",
  "only NUL": "\0",
  percent: "100%_\\",
  long,
  digits,
  quote: "'; --",
  "last code point": "\u{10ffff}\ufffe",
  "zero UUID": "00000000-0000-0000-0000-000000000000",
  "UUID in upper case": newId().toUpperCase(),
  "no UUID": "0190-x",
  prototype: "__proto__",
  infinity: "infinity",
  date: "0000-00-00",
  word: "\u0301\u202e",
};
const int32s: Values = { zero: 0, negative: -1, least: -(2 ** 31), most: 2 ** 31 - 1 };
const uint32s: Values = { zero: 0, most: 2 ** 32 - 1 };
const int64s: Values = { zero: 0n, negative: -1n, least: -(2n ** 63n), most: 2n ** 63n - 1n, unsafe: 2n ** 53n };
const uint64s: Values = { zero: 0n, most: 2n ** 64n - 1n };
const doubles: Values = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  "-Infinity": Number.NEGATIVE_INFINITY,
  most: Number.MAX_VALUE,
  least: 5e-324,
  "-0": -0,
  negative: -1,
};
const times: Values = {
  "year 1": { seconds: -62_135_596_800n, nanos: 0 },
  "before year 1": { seconds: -62_135_596_801n, nanos: 0 },
  "end of 9999": { seconds: 253_402_300_799n, nanos: 999_999_999 },
  "year 10000": { seconds: 253_402_300_800n, nanos: 0 },
  "last second": { seconds: 2n ** 63n - 1n, nanos: 0 },
  "first second": { seconds: -(2n ** 63n), nanos: 0 },
  "negative nanos": { seconds: 0n, nanos: -1 },
  "many nanos": { seconds: 0n, nanos: 2 ** 31 - 1 },
};
const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
const objects: Values = {
  empty: {},
  NUL: { a: "\0" },
  "NUL in a key": { "a\0": 1 },
  deep: nested(40),
  numbers: { a: 1e308, b: -0, c: 5e-324 },
  prototype: JSON.parse('{"__proto__": {"a": 1}, "constructor": 1}'),
  long: { a: long },
};

/** `valid` returns a field's value. Without it, optional fields are omitted, required ones get plausible values. */
export function* hostileMessages(
  { input }: Pick<DescMethodUnary, "input">,
  valid: (field: DescField) => unknown,
): Generator<Hostile> {
  yield { name: "nothing", message: create(input) };
  yield { name: "valid", message: base(input, valid) };
  for (const { path, value } of variants(input, valid, 0)) {
    const message = base(input, valid);
    Object.assign(message, value);
    yield { name: path, message };
  }
}

interface Variant {
  readonly path: string;
  /** Fields of the message. */
  readonly value: Record<string, unknown>;
}

function* variants(desc: DescMessage, valid: (field: DescField) => unknown, depth: number): Generator<Variant> {
  if (depth > depthMax) return;
  for (const field of desc.fields) {
    for (const [name, value] of ofField(field, valid, depth)) {
      yield { path: `${field.name}${name}`, value: member(field, value) };
    }
  }
}

function member({ oneof, localName }: DescField, value: unknown): Record<string, unknown> {
  return oneof === undefined ? { [localName]: value } : { [oneof.localName]: { case: localName, value } };
}

function* ofField(field: DescField, valid: (field: DescField) => unknown, depth: number): Generator<[string, unknown]> {
  switch (field.fieldKind) {
    case "list": {
      yield [" = empty list", []];
      const values = [...elements(field, valid, depth)];
      for (const [name, value] of values) yield [`[0]${name}`, [value]];
      const [first] = values;
      if (first !== undefined) yield ["[2000]", Array.from({ length: 2_000 }, () => first[1])];
      return;
    }
    case "map":
      for (const [name, key] of Object.entries(texts)) yield [` key ${name}`, { [String(key)]: anyValue(field) }];
      return;
    default:
      yield* elements(field, valid, depth);
  }
}

function* elements(
  field: DescField,
  valid: (field: DescField) => unknown,
  depth: number,
): Generator<[string, unknown]> {
  const named = (values: Values) =>
    Object.entries(values).map(([name, value]): [string, unknown] => [` = ${name}`, value]);
  if (field.message === undefined) {
    if (field.enum !== undefined) {
      yield* named({ unspecified: 0, unknown: 999, negative: -1 });
      for (const { name, number } of field.enum.values) yield [` = ${name}`, number];
    } else if (field.scalar !== undefined) yield* named(ofScalar(field.scalar));
    return;
  }
  const { message } = field;
  switch (message.typeName) {
    case "google.protobuf.Timestamp":
      for (const [name, value] of named(times)) yield [name, create(message, value as Record<string, unknown>)];
      return;
    case "google.protobuf.Struct":
      yield* named(objects);
      return;
    case "google.protobuf.Value":
      yield [" = no kind", create(message)];
      for (const [name, value] of named(texts)) yield [name, create(message, kind("stringValue", value))];
      for (const [name, value] of named(doubles)) yield [name, create(message, kind("numberValue", value))];
      for (const [name, value] of named(objects)) yield [name, create(message, kind("structValue", value))];
      return;
  }
  yield [" = empty", create(message)];
  for (const { path, value } of variants(message, valid, depth + 1)) {
    yield [`.${path}`, Object.assign(base(message, valid), value)];
  }
}

function kind(name: string, value: unknown): Record<string, unknown> {
  return { kind: { case: name, value } };
}

function ofScalar(scalar: ScalarType): Values {
  switch (scalar) {
    case ScalarType.STRING:
      return texts;
    case ScalarType.BOOL:
      return { true: true, false: false };
    case ScalarType.BYTES:
      return { empty: new Uint8Array(), bytes: Uint8Array.of(0, 255, 254), long: new Uint8Array(70_000) };
    case ScalarType.DOUBLE:
      return doubles;
    case ScalarType.FLOAT:
      return { ...doubles, most: 3.4028234663852886e38, least: 1.401298464324817e-45 };
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return int32s;
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return uint32s;
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return uint64s;
    default:
      return int64s;
  }
}

const required = new Map<DescField, boolean>();

/** Reading an option takes longer than creating a message. */
function mustBeGiven(field: DescField): boolean {
  const cached = required.get(field) ?? isRequired(field);
  required.set(field, cached);
  return cached;
}

/** A message with its required fields, and those of `valid`. */
function base(desc: DescMessage, valid: (field: DescField) => unknown, depth = 0): Message {
  const message = create(desc);
  if (depth > depthMax) return message;
  for (const field of desc.fields) {
    const own = field.scalar === undefined ? undefined : valid(field);
    if (own === undefined && !mustBeGiven(field)) continue;
    const value = own ?? plausible(field, valid, depth);
    Object.assign(message, member(field, field.fieldKind === "list" && !Array.isArray(value) ? [value] : value));
  }
  return message;
}

function plausible(field: DescField, valid: (field: DescField) => unknown, depth: number): unknown {
  if (field.fieldKind === "map") return { a: anyValue(field) };
  if (field.message !== undefined) {
    if (field.message.typeName === "google.protobuf.Struct") return {};
    if (field.message.typeName.startsWith("google.protobuf.")) return create(field.message);
    return base(field.message, valid, depth + 1);
  }
  if (field.enum !== undefined) return field.enum.values[1]?.number ?? 0;
  const rules = getRules(field, field.fieldKind === "list" ? "items" : "field")?.type;
  const inList: unknown = rules?.case === "string" ? rules.value.in[0] : undefined;
  if (inList !== undefined) return inList;
  switch (field.scalar) {
    case ScalarType.STRING:
      return /(^|_)ids?$/.test(field.name) ? newId() : "text";
    case ScalarType.BOOL:
      return true;
    case ScalarType.BYTES:
      return Uint8Array.of(1);
    case ScalarType.INT64:
    case ScalarType.UINT64:
      return protoInt64.parse(1);
    default:
      return 1;
  }
}

function anyValue(field: DescField): unknown {
  return field.fieldKind === "map" && field.mapKind === "message" ? create(field.message) : "value";
}
