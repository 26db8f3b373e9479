// Test support: arbitrary messages of services and clients, for properties over every message type.

import {
  create,
  type DescField,
  type DescMessage,
  fromJson,
  getOption,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence, ListValueSchema, timestampFromMs, ValueSchema } from "@bufbuild/protobuf/wkt";
import { allowedValues, getRules, isId, isRequired, type Part } from "@ems/kit/json/constraints";
import { valueKind } from "@ems/kit/json/value-kind";
import { internal } from "@ems/proto/rest/v1/rest";
import fc, { type Arbitrary } from "fast-check";

/** `depth` bounds recursive types. */
export function messageArbitrary(desc: DescMessage, depth = 3): Arbitrary<Message> {
  const properties = desc.members.map((member): [string, Arbitrary<unknown>] => {
    if (member.kind === "field") return [member.localName, fieldArbitrary(member, depth)];
    const cases = member.fields
      .filter((field) => !isTooDeep(field, depth))
      .map((field) => valueArbitrary(field, depth).map((value) => ({ case: field.localName, value })));
    return [member.localName, fc.oneof(fc.constant({ case: undefined }), ...cases)];
  });
  return fc.record(Object.fromEntries(properties)).map((init) => create(desc, init));
}

function fieldArbitrary(field: DescField, depth: number): Arbitrary<unknown> {
  const knowsUnset = field.presence !== FeatureSet_FieldPresence.IMPLICIT;
  const isAlwaysThere = knowsUnset && isRequired(field);
  if (getOption(field, internal) || (isTooDeep(field, depth) && !isAlwaysThere)) return fc.constant(undefined);
  const value = valueArbitrary(field, depth);
  if (field.fieldKind === "list") return fc.array(value, { maxLength: 3 });
  if (field.fieldKind === "map") return fc.dictionary(text, value, { maxKeys: 3 });
  if (knowsUnset) return isAlwaysThere ? value : fc.option(value, { nil: undefined });
  // *_UNSPECIFIED is well-formed only there: elsewhere it would be a second way to express an unset field, and
  // required fields are always set.
  return field.fieldKind === "enum" && !isRequired(field) ? fc.oneof(fc.constant(0), value) : value;
}

function isTooDeep(field: DescField, depth: number): boolean {
  return depth <= 0 && ["message", "inline"].includes(valueKind(field).kind);
}

function valueArbitrary(field: DescField, depth: number): Arbitrary<unknown> {
  const kind = valueKind(field);
  switch (kind.kind) {
    case "scalar":
      // Ids have one spelling, in lower case.
      return isId(getRules(field, parts[field.fieldKind])) ? fc.uuid() : scalarArbitrary(kind.scalar);
    case "enum":
      return fc.constantFrom(...allowedValues(field, parts[field.fieldKind]).values());
    case "message":
    case "inline":
      return messageArbitrary(kind.message, depth - 1);
    case "timestamp":
      return timestamp;
    case "struct":
      return fc.dictionary(text, json);
    case "value":
      return json.map((value) => fromJson(ValueSchema, value));
    case "listValue":
      return fc.array(json, { maxLength: 3 }).map((values) => fromJson(ListValueSchema, values));
  }
}

function scalarArbitrary(scalar: ScalarType): Arbitrary<unknown> {
  switch (scalar) {
    case ScalarType.STRING:
      return text;
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.BYTES:
      return fc.uint8Array();
    case ScalarType.DOUBLE:
      return fc.double(finite).map(withoutMinusZero);
    case ScalarType.FLOAT:
      return fc.float(finite).map(withoutMinusZero);
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return extreme(fc.integer(), -(2 ** 31), 2 ** 31 - 1);
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return extreme(fc.nat(), 0, 2 ** 32 - 1);
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return extreme(fc.maxSafeInteger(), Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER).map(BigInt);
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return extreme(fc.maxSafeNat(), 0, Number.MAX_SAFE_INTEGER).map(BigInt);
  }
}

const parts: Record<DescField["fieldKind"], Part> = {
  scalar: "field",
  enum: "field",
  message: "field",
  list: "items",
  map: "values",
};

function extreme(between: Arbitrary<number>, min: number, max: number): Arbitrary<number> {
  return fc.oneof(between, fc.constantFrom(min, max));
}

/** Any Unicode except NUL, and names of JavaScript's own properties. */
const text = fc.oneof(
  fc.string({ unit: "binary" }).map((value) => value.replaceAll("\0", "")),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("", "__proto__", "constructor", "toString"),
);

const finite = { noNaN: true, noDefaultInfinity: true };
/** JSON.stringify turns it into 0. */
const withoutMinusZero = (value: number) => value + 0;

const json = fc
  .jsonValue({ stringUnit: "grapheme", maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value).replaceAll("\\u0000", "")));

const timestamp = fc
  .oneof(
    fc.date({
      min: new Date("0001-01-01T00:00:00.000Z"),
      max: new Date("9999-12-31T23:59:59.999Z"),
      noInvalidDate: true,
    }),
    fc.constantFrom(new Date(0), new Date("0001-01-01T00:00:00.000Z"), new Date("9999-12-31T23:59:59.999Z")),
  )
  .map((date) => timestampFromMs(date.getTime()));
