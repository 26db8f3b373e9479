// Hostile contents of a field by size.

import fc from "fast-check";
import { getSchema, type Schema } from "../../client-reference/operations.ts";
import type { Request } from "../../client-reference/requests.ts";
import { buildArbitrary, type Context } from "../../client-reference/values.ts";
import { type Field, valueAt, withValue } from "./fields.ts";
import { bytesPerCharacter, makeText, type TextKind, textKinds } from "./texts.ts";

export interface Attack {
  readonly field: Field;
  readonly kind: string;
  /** The documented size limit, or the largest size that fits into the body. */
  readonly sizeMax: number;
  /** True if the document states the limit; otherwise smaller sizes are tried, too. */
  readonly isLimited: boolean;
  /** Each salt results in another content of the same kind and size. */
  request(base: Request, size: number, salt: number): Request;
}

interface Content {
  readonly kind: string;
  readonly sizeMax: number;
  readonly isLimited?: boolean;
  value(size: number, salt: number, old: unknown): unknown;
}

export interface Options {
  readonly context: Context;
  readonly seed: number;
  /** Maximum bytes of the request's part with the content: its body, or one line of its HTTP head. */
  readonly bytesMax: number;
  /** Kinds of text for fields whose format is checked first, such as ids. */
  readonly fewKinds: number;
}

/** A body with more values is refused unread. */
const valuesMax = 90_000;
/** A body with more names in an object is refused unread, too. */
const namesMax = 9_900;
const depthMax = 30;

export function attacksOn(field: Field, options: Options): Attack[] {
  const contents = makeContents(field, options).map(
    ({ kind, sizeMax, isLimited = true, value }): Attack => ({
      field,
      kind,
      sizeMax,
      isLimited,
      request: (base, size, salt) => withValue(base, field, value(size, salt, valueAt(base, field))),
    }),
  );
  return [...contents, ...everywhere(field, options)];
}

function makeContents(field: Field, options: Options): Content[] {
  switch (field.type) {
    case "text":
      return texts(field, options);
    case "list":
      return lists(field.schema, options);
    case "map":
      return maps(field.schema, options);
    case "number":
      return numbers(options);
    case "free":
      return [
        ...texts(field, options),
        ...lists({ items: { type: "number" } }, options),
        ...maps({}, options),
        ...numbers(options),
      ];
  }
}

function texts({ schema, place }: Field, { bytesMax, fewKinds, seed }: Options): Content[] {
  const { maxLength, format, pattern, contentEncoding } = schema;
  const hasForm = format !== undefined || (pattern !== undefined && !pattern.includes("\\u0000"));
  const kinds = hasForm || contentEncoding !== undefined ? sample(textKinds, fewKinds, seed) : textKinds;
  return kinds.map((kind) => {
    const bytes =
      place === "body"
        ? bytesPerCharacter(kind)
        : Buffer.byteLength(encodeURIComponent(makeText(kind, 90).toWellFormed())) / 90;
    const fitting = Math.floor(bytesMax / bytes);
    return {
      kind: kind.name,
      sizeMax: Math.min(maxLength ?? fitting, fitting),
      isLimited: maxLength !== undefined && maxLength <= fitting,
      value: (size, salt) => makeText(kind, size, salt),
    };
  });
}

function lists({ items = {}, maxItems }: Schema, { context, seed, bytesMax }: Options): Content[] {
  const samples = fc.sample(buildArbitrary(context, items, "", 1), { seed, numRuns: 20 });
  const made = (index: number, old: unknown) => {
    const [first] = Array.isArray(old) && old.length > 0 ? old : samples;
    return index === 0 ? first : varied(context, items, first ?? null, index);
  };
  const bytes = Buffer.byteLength(JSON.stringify(samples)) / samples.length + 1;
  const fitting = Math.floor(Math.min(bytesMax / bytes, valuesMax / valuesIn(samples[0])));
  const size = { sizeMax: Math.min(maxItems ?? fitting, fitting), isLimited: maxItems !== undefined };
  const indexes = (count: number) => Array.from({ length: count }, (_, index) => index);
  return [
    { ...size, kind: "distinct items", value: (count, salt, old) => indexes(count).map((i) => made(i + salt, old)) },
    {
      ...size,
      kind: "descending items",
      value: (count, salt, old) => indexes(count).map((i) => made(count - i + salt, old)),
    },
    { ...size, kind: "equal items", value: (count, salt, old) => indexes(count).map(() => made(salt, old)) },
    { ...size, kind: "other items", value: (count) => indexes(count).map((i) => samples[i % samples.length]) },
    { ...size, kind: "wrong items", value: (count) => indexes(count).map((i) => (i % 2 === 0 ? null : { a: i })) },
    {
      kind: "more items than allowed",
      sizeMax: Math.min(valuesMax, Math.floor(bytesMax / 12)),
      value: (count) => indexes(count).map((index) => `item${index}`),
    },
  ];
}

function maps({ maxProperties }: Schema, { bytesMax }: Options): Content[] {
  const fitting = Math.min(valuesMax, Math.floor(bytesMax / 14));
  const size = { sizeMax: Math.min(maxProperties ?? namesMax, fitting), isLimited: maxProperties !== undefined };
  const members = (name: (index: number) => string, value: unknown) => (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), value]));
  const nested = (count: number): unknown => {
    let value: unknown = Array(Math.max(1, count)).fill([]);
    for (let depth = 0; depth < depthMax; depth++) value = depth % 2 === 0 ? { a: value } : [value];
    return { a: value };
  };
  return [
    { ...size, kind: "distinct keys", value: members((index) => `k${index}`, "1") },
    { ...size, kind: "numbers as keys", value: members((index) => String(index * 3), "1") },
    { ...size, kind: "keys of a prototype", value: members((index) => `__proto__${index || ""}`, "1") },
    {
      kind: "long keys",
      sizeMax: Math.floor(bytesMax / 1_010),
      isLimited: false,
      value: members((index) => `${index}${"k".repeat(1_000)}`, "1"),
    },
    { kind: "more keys than allowed", sizeMax: fitting, value: members((index) => `k${index}`, "1") },
    {
      kind: "wide objects",
      sizeMax: fitting,
      isLimited: false,
      value: (count) => ({
        a: Array.from({ length: Math.ceil(count / namesMax) }, (_, at) =>
          members((index) => `k${at}-${index}`, 1)(Math.min(namesMax, count)),
        ),
      }),
    },
    { kind: "nesting", sizeMax: fitting, isLimited: false, value: nested },
  ];
}

/** Numbers that no program writes, as in the JSON text. */
function numbers({ bytesMax }: Options): Content[] {
  const raw = (text: string) => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
  const size = { sizeMax: bytesMax, isLimited: false };
  return [
    { ...size, kind: "a number of many digits", value: (count) => raw("9".repeat(count)) },
    { ...size, kind: "a number of many decimals", value: (count) => raw(`0.${"0".repeat(count)}1`) },
    { ...size, kind: "a long exponent", value: (count) => raw(`1e${"0".repeat(count)}1`) },
  ];
}

/** The same hostile text in every element of the field's list, as many as the body allows. */
function everywhere(field: Field, { context, bytesMax, seed }: Options): Attack[] {
  const { list, schema, path, type } = field;
  if (list === undefined || type !== "text" || field.place !== "body" || schema.format !== undefined) return [];
  return sample(textKinds, 6, seed).map((kind) => {
    const bytes = bytesPerCharacter(kind);
    const length = Math.max(1, Math.min(schema.maxLength ?? 2_000, 2_000));
    const fitting = Math.floor(bytesMax / (length * bytes + 100));
    const inList = { place: field.place, path: list.path };
    const rest = { place: field.place, path: path.slice(list.path.length + 1) } as const;
    return {
      field,
      kind: `${kind.name} in every item`,
      sizeMax: Math.max(1, Math.min(list.schema.maxItems ?? 1_000, fitting)),
      isLimited: true,
      request: (base, size, salt) => {
        const found = valueAt(base, { ...field, path: list.path });
        const [first] = Array.isArray(found) && found.length > 0 ? found : [{}];
        const items = Array.from({ length: size }, (_, index) => {
          const item = varied(context, list.schema.items ?? {}, first, index);
          const holder = { ...base, body: item };
          return withValue(holder, rest, `${index}${makeText(kind, length - 6, salt)}`).body;
        });
        return withValue(base, inList, items);
      },
    };
  });
}

/** Another value of the same format: the index changes free texts, numbers and ids. */
function varied(context: Context, schema: Schema, value: unknown, index: number): unknown {
  const { document } = context;
  const {
    type,
    enum: values,
    format,
    maxLength = 100,
    pattern,
    items = {},
    properties = {},
  } = getSchema(document, schema);
  if (typeof value === "string") {
    if (values !== undefined) return value;
    if (format === "uuid") return `00000000-0000-4000-8000-${index.toString(16).padStart(12, "0")}`;
    if (format !== undefined || (pattern !== undefined && !pattern.includes("\\u0000"))) return value;
    return `${value.slice(0, Math.max(0, maxLength - 8))}${index}`;
  }
  if (typeof value === "number") return type === "number" || type === undefined ? index : value;
  if (Array.isArray(value)) return value.map((item) => varied(context, items, item, index));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, varied(context, properties[name] ?? {}, member, index)]),
  );
}

function valuesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + valuesIn(member), 1);
}

/** A seeded choice of some elements. */
export function sample<T>(all: readonly T[], count: number, seed: number): T[] {
  return (
    fc.sample(fc.shuffledSubarray([...all], { minLength: count, maxLength: count }), { seed, numRuns: 1 })[0] ?? []
  );
}

export type { TextKind };
