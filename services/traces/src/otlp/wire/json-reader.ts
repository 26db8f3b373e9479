// Reads OTLP's JSON into generated messages. Protobuf's JSON reader rejects a whole request for one invalid field and
// expects ids in base64. Here ids are hexadecimal; unknown or malformed fields are skipped, and an invalid list
// element becomes empty.

import { create, type DescField, type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { isExactNumber, nearestDouble } from "@ems/kit/json/exact-number";

type Read = (value: unknown, context: Context) => unknown;
type ReadField = (message: Record<string, unknown>, value: unknown, context: Context) => void;
type JsonMap = Readonly<Record<string, unknown>>;

interface Context {
  depth: number;
  /** Names of fields whose values should have been lists. */
  readonly noLists: Set<string>;
}

/** The same depth limit as in protobuf's binary reader. */
const depthMax = 100;

export interface TolerantlyRead<Desc extends DescMessage> {
  readonly message: MessageShape<Desc>;
  /** Problems to report to the sender. */
  readonly warnings: readonly string[];
}

export function fromTolerantJson<Desc extends DescMessage>(desc: Desc, json: object): TolerantlyRead<Desc> {
  const context = { depth: 0, noLists: new Set<string>() };
  const message = messageReader(desc)(json, context) as MessageShape<Desc>;
  return { message, warnings: [...context.noLists].map((name) => `${name} must be an array`) };
}

const readers = new WeakMap<DescMessage, Read>();

/** Returns the reader of a message type, compiled once. It returns undefined for a value that is not an object. */
function messageReader(desc: DescMessage): Read {
  const cached = readers.get(desc);
  if (cached !== undefined) return cached;
  const fields = new Map<string, ReadField>();
  const read: Read = (json, context) => {
    if (!isMap(json) || context.depth > depthMax) return undefined;
    const message = create(desc);
    context.depth++;
    for (const name in json) {
      const value = json[name];
      if (value !== null) fields.get(name)?.(message as unknown as Record<string, unknown>, value, context);
    }
    context.depth--;
    return message;
  };
  // Cached before its fields are compiled, because types may be recursive.
  readers.set(desc, read);
  for (const field of desc.fields) {
    const reader = fieldReader(field);
    fields.set(field.jsonName, reader);
    fields.set(field.name, reader);
  }
  return read;
}

function fieldReader(field: DescField): ReadField {
  const { localName, oneof } = field;
  const read = valueReader(field);
  if (field.fieldKind === "list") {
    const { message: element } = field;
    return (message, value, context) => {
      if (!Array.isArray(value)) {
        context.noLists.add(field.jsonName);
        return;
      }
      const items: unknown[] = [];
      for (const item of value) {
        const each = read(item, context) ?? (element && create(element));
        if (each !== undefined) items.push(each);
      }
      message[localName] = items;
    };
  }
  return (message, json, context) => {
    const value = read(json, context);
    if (value === undefined) return;
    if (oneof === undefined) message[localName] = value;
    else message[oneof.localName] = { case: localName, value };
  };
}

function valueReader(field: DescField): Read {
  if (field.message !== undefined) return messageReader(field.message);
  if (field.enum !== undefined) {
    const { values, sharedPrefix = "" } = field.enum;
    const numbers = new Map(values.map(({ name, number }) => [name, number]));
    return (value) =>
      typeof value === "string"
        ? (numbers.get(value) ?? numbers.get(sharedPrefix.toUpperCase() + value))
        : int32(value);
  }
  switch (field.scalar) {
    case ScalarType.STRING:
      return (value) => (typeof value === "string" ? value : undefined);
    case ScalarType.BOOL:
      return (value) => (typeof value === "boolean" ? value : undefined);
    case ScalarType.BYTES:
      return field.name.endsWith("_id") ? hexadecimal : base64;
    case ScalarType.DOUBLE:
      return double;
    case ScalarType.INT64:
      return (value) => whole(value, -(2n ** 63n), 2n ** 63n);
    case ScalarType.FIXED64:
      return (value) => whole(value, 0n, 2n ** 64n);
    default:
      return int32;
  }
}

function isMap(value: unknown): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

function hexadecimal(value: unknown): Uint8Array | undefined {
  return typeof value === "string" && value.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(value)
    ? Buffer.from(value, "hex")
    : undefined;
}

function base64(value: unknown): Uint8Array | undefined {
  return typeof value === "string" ? Buffer.from(value, "base64") : undefined;
}

/** Reads a double; NaN and the infinities are texts in JSON. */
function double(sent: unknown): number | undefined {
  const value = nearestDouble(sent);
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  const number = Number(value);
  return value === "NaN" || !Number.isNaN(number) ? number : undefined;
}

function int32(value: unknown): number | undefined {
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return Number.isInteger(number) && Math.abs(number as number) < 2 ** 32 ? (number as number) : undefined;
}

/** Reads a 64-bit integer, given as a number or as a text, because JSON numbers cannot hold all values. */
function whole(sent: unknown, min: bigint, end: bigint): bigint | undefined {
  const value = isExactNumber(sent) ? sent.rawJSON : sent;
  const isText = typeof value === "string" && /^-?\d{1,20}$/.test(value);
  if (!isText && !Number.isInteger(value)) return undefined;
  const number = BigInt(value as string | number);
  return number >= min && number < end ? number : undefined;
}
