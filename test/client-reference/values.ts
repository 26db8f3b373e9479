// Generates values that a schema of the document allows.

import fc, { type Arbitrary } from "fast-check";
import type { Document } from "../harness/contract.ts";
import type { Ids } from "./ids.ts";
import { getSchema, type Schema } from "./operations.ts";

export interface Context {
  readonly document: Document;
  readonly ids: Ids;
  /** Path of the operation, which determines the resource that `id` identifies. */
  readonly path: string;
}

/** Lists and texts are short; other tests cover their sizes. */
const itemsMax = 3;
const lengthMax = 40;
const depthMax = 4;

export function buildArbitrary(context: Context, schema: Schema, field = "", depth = 0): Arbitrary<unknown> {
  const found = getSchema(context.document, schema);
  const { anyOf, type, enum: values } = found;
  if (values !== undefined) return fc.constantFrom(...values);
  if ("const" in found) return fc.constant(found.const);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((each) => buildArbitrary(context, each, field, depth)));
  if (type === undefined) return fc.jsonValue({ maxDepth: 2 }).filter(isClean);
  const types = [type].flat();
  return fc.oneof(...types.map((each) => typed(context, found, each, field, depth)));
}

function typed(context: Context, schema: Schema, type: string, field: string, depth: number): Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return integer(schema);
    case "number":
      return number(schema);
    case "string":
      return text(context, schema, field);
    case "array":
      return list(context, schema, field, depth);
    case "object":
      return object(context, schema, depth);
    default:
      throw new Error(`a schema has the type ${type}`);
  }
}

function integer({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): Arbitrary<number> {
  const min = minimum ?? (exclusiveMinimum === undefined ? -(2 ** 31) : exclusiveMinimum + 1);
  const max = maximum ?? (exclusiveMaximum === undefined ? 2 ** 31 - 1 : exclusiveMaximum - 1);
  return fc.oneof(
    fc.constantFrom(min, max),
    fc.integer({ min, max }),
    // Small numbers, if the range has any.
    fc.integer({ min: Math.min(Math.max(min, -1000), max), max: Math.max(Math.min(max, 1000), min) }),
  );
}

function number({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): Arbitrary<number> {
  const [min, max] = [minimum ?? exclusiveMinimum ?? -1e9, maximum ?? exclusiveMaximum ?? 1e9];
  return fc.double({
    min,
    max,
    noNaN: true,
    minExcluded: exclusiveMinimum !== undefined,
    maxExcluded: exclusiveMaximum !== undefined,
  });
}

function text(context: Context, schema: Schema, field: string): Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = lengthMax, contentEncoding } = schema;
  // Most requests name any version: another version than the stored one changes nothing.
  if (field === "If-Match")
    return fc.oneof({ weight: 4, arbitrary: fc.constant("*") }, fc.constantFrom('""', '"a", "b"'));
  switch (format) {
    case "uuid": {
      const { ids, path } = context;
      const found = ids.of(field, path).filter((id) => /^[0-9a-f-]{36}$/.test(id));
      const unknown = fc.oneof(
        fc.uuid({ version: [4, 7] }),
        fc.constantFrom(...ids.all(), "00000000-0000-0000-0000-000000000000"),
      );
      return found.length === 0 ? unknown : fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...found) }, unknown);
    }
    case "date-time":
      return fc
        .date({ min: new Date("2024-01-01"), max: new Date("2030-01-01"), noInvalidDate: true })
        .map((date) => date.toISOString());
    case "date":
      return fc
        .date({ min: new Date("2024-01-01"), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10));
    case "email":
      return fc.emailAddress();
    case "uri":
      return fc.webPath().map((path) => `https://nowhere.example${path}`);
    default:
  }
  if (contentEncoding === "base64")
    return fc.uint8Array({ maxLength: 10 }).map((bytes) => Buffer.from(bytes).toString("base64"));
  const max = Math.max(minLength, Math.min(maxLength, lengthMax));
  const isShort = (value: string) => [...value].length >= minLength && [...value].length <= maxLength;
  if (pattern !== undefined && !pattern.includes("\\u0000")) {
    // The pattern itself may need more characters, as that of a hash.
    const isAllowed = schema.maxLength === undefined ? isClean : (value: string) => isShort(value) && isClean(value);
    return fc.stringMatching(new RegExp(pattern, "u")).filter(isAllowed);
  }
  const characters = fc
    .string({ unit: "binary", minLength, maxLength: max })
    .filter((value) => isClean(value) && isShort(value));
  const plain = fc.string({ unit: "grapheme-ascii", minLength, maxLength: max });
  return fc
    .oneof(characters, plain, fc.constantFrom("x".repeat(minLength), "x".repeat(Math.min(maxLength, 10_000))))
    .filter(isShort);
}

function list(
  context: Context,
  { items = {}, minItems = 0, maxItems = itemsMax, uniqueItems = false }: Schema,
  field: string,
  depth: number,
) {
  const item = buildArbitrary(context, items, field, depth + 1);
  const size = {
    minLength: minItems,
    maxLength: depth > depthMax ? minItems : Math.max(minItems, Math.min(maxItems, itemsMax)),
  };
  return uniqueItems
    ? fc.uniqueArray(item, { ...size, selector: (value) => JSON.stringify(value) })
    : fc.array(item, size);
}

function object(context: Context, schema: Schema, depth: number): Arbitrary<unknown> {
  const {
    properties = {},
    required = [],
    additionalProperties = {},
    propertyNames = {},
    minProperties = 0,
    maxProperties = itemsMax,
  } = schema;
  const isLeaf = depth > depthMax;
  const fields = Object.entries(properties).filter(([name]) => !isLeaf || required.includes(name));
  const fixed = fc.record(
    Object.fromEntries(fields.map(([name, each]) => [name, buildArbitrary(context, each, name, depth + 1)])),
    { requiredKeys: fields.map(([name]) => name).filter((name) => required.includes(name)) },
  );
  const hasMinimum = (value: object) => Object.keys(value).length >= minProperties;
  if (additionalProperties === false || Object.keys(properties).length > 0) return fixed.filter(hasMinimum);
  const more = additionalProperties === true ? {} : additionalProperties;
  const names = buildArbitrary(context, {
    type: "string",
    minLength: 1,
    maxLength: 20,
    ...propertyNames,
  }) as Arbitrary<string>;
  return fc.dictionary(names, buildArbitrary(context, more, "", depth + 1), {
    minKeys: minProperties,
    maxKeys: Math.max(minProperties, Math.min(maxProperties, itemsMax)),
  });
}

/** True if it contains no NUL, which is forbidden in texts. */
function isClean(value: unknown): boolean {
  return !JSON.stringify(value).includes("\\u0000");
}
