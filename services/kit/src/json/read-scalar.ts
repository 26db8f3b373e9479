// Single values out of JSON, and out of the text of a path or a query. A reader answers undefined when it has told an issue.

import { create, type DescField, ScalarType } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { allowedValues, boundsOf, isId, type Part, rulesOf } from "./constraints.ts";
import type { IssueList } from "./issue.ts";
import * as texts from "./issue-messages.ts";
import { readTimestamp } from "./timestamp.ts";

export type ReadJson = (value: unknown, at: IssueList) => unknown;
export type ReadText = (text: string, at: IssueList) => unknown;

export interface ValueReader {
  /** What the value is called in "Expected …". */
  readonly what: string;
  readonly json: ReadJson;
  /** Absent where text cannot say the value. */
  readonly text?: ReadText;
  /** Stands in a list or map for a value with issues, so that the others keep their places. */
  readonly zero: () => unknown;
}

export function scalarReader(field: DescField, part: Part, scalar: ScalarType): ValueReader {
  switch (scalar) {
    case ScalarType.STRING:
      return fromString("string", isId(rulesOf(field, part)) ? readId : readString, () => "");
    case ScalarType.BOOL:
      return bool;
    case ScalarType.BYTES:
      return fromString("string", readBase64, () => new Uint8Array());
    case ScalarType.DOUBLE:
      return double(Number.MAX_VALUE);
    case ScalarType.FLOAT:
      return double(floatMax);
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return integer(field, part, -(2 ** 31), 2 ** 31 - 1, Number);
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return integer(field, part, 0, 2 ** 32 - 1, Number);
    // A JSON number is exact up to 2^53 - 1 only.
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return integer(field, part, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, BigInt);
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return integer(field, part, 0, Number.MAX_SAFE_INTEGER, BigInt);
  }
}

export function enumReader(field: DescField, part: Part): ValueReader {
  const allowed = allowedValues(field, part);
  const names = [...allowed.keys()];
  const read: ReadText = (text, at) => {
    const number = allowed.get(text);
    if (number === undefined && isText(text, at)) at.add("invalid_enum_value", texts.invalidEnumValue(names, text));
    return number;
  };
  return fromString(texts.alternatives(names), read, () => 0);
}

export const timestampReader = fromString("string", readDatetime, () => create(TimestampSchema));

/** Whether a string may go into a message: PostgreSQL refuses NUL, and UTF-8 has no lone surrogates. */
export function isText(text: string, at: IssueList): boolean {
  if (text.includes("\0")) at.add("invalid_string", texts.nul);
  else if (!text.isWellFormed()) at.add("invalid_string", texts.illFormed);
  else return true;
  return false;
}

function readString(text: string, at: IssueList): string | undefined {
  return isText(text, at) ? text : undefined;
}

/** An id is a UUID: in capitals it is the same one, and in one spelling whoever compares it finds it. */
function readId(text: string, at: IssueList): string | undefined {
  return readString(text, at)?.toLowerCase();
}

function readDatetime(text: string, at: IssueList): unknown {
  const timestamp = readTimestamp(text);
  if (timestamp === undefined && isText(text, at)) at.add("invalid_string", texts.invalidDatetime);
  return timestamp;
}

function readBase64(text: string, at: IssueList): Uint8Array | undefined {
  if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return base64Decode(text);
  if (isText(text, at)) at.add("invalid_string", texts.invalidBase64);
  return undefined;
}

const bool: ValueReader = {
  what: "boolean",
  json: (value, at) => (typeof value === "boolean" ? value : wrongType("boolean", value, at)),
  text: (text, at) => (text === "true" ? true : text === "false" ? false : wrongType("boolean", text, at)),
  zero: () => false,
};

const floatMax = 2 ** 128 - 2 ** 104;

function double(max: number): ValueReader {
  const check = (value: number, at: IssueList) => {
    if (!Number.isFinite(value)) return wrongType("number", value, at);
    if (value > max) return at.add("too_big", texts.numberAtMost(max));
    if (value < -max) return at.add("too_small", texts.numberAtLeast(-max));
    return value;
  };
  return numeric(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/, check, () => 0);
}

function integer(
  field: DescField,
  part: Part,
  min: number,
  max: number,
  make: (value: number) => number | bigint,
): ValueReader {
  // The declared range is the one to tell, where it is narrower than the type's.
  const { lower = { value: min, isInclusive: true }, upper = { value: max, isInclusive: true } } = boundsOf(
    rulesOf(field, part),
  );
  const check = (value: number, at: IssueList) => {
    if (value < min) return at.add("too_small", texts.numberAtLeast(lower.value, lower.isInclusive));
    if (value > max) return at.add("too_big", texts.numberAtMost(upper.value, upper.isInclusive));
    if (!Number.isInteger(value)) return at.add("invalid_type", texts.float);
    // Adding 0 makes 0 of -0.
    return make(value + 0);
  };
  return numeric(/^-?\d+(?:\.\d+)?$/, check, () => make(0));
}

function numeric(pattern: RegExp, check: (value: number, at: IssueList) => unknown, zero: () => unknown): ValueReader {
  return {
    what: "number",
    json: (value, at) => (typeof value === "number" ? check(value, at) : wrongType("number", value, at)),
    text: (text, at) => (pattern.test(text) ? check(Number(text), at) : wrongType("number", text, at)),
    zero,
  };
}

function fromString(what: string, read: ReadText, zero: () => unknown): ValueReader {
  return {
    what,
    json: (value, at) => (typeof value === "string" ? read(value, at) : wrongType(what, value, at)),
    text: read,
    zero,
  };
}

export function wrongType(what: string, value: unknown, at: IssueList): undefined {
  at.add("invalid_type", texts.expected(what, value));
}
