// Reads scalars from JSON and from text of a path or query. A reader returns undefined after adding an issue.

import { create, type DescField, getOption, ScalarType } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { file_text, unix_ms } from "@ems/proto/rest/v1/rest";
import { isOfWords } from "../enum.ts";
import { allowedValues, getBounds, getRules, isId, isTelemetry, type Part } from "./constraints.ts";
import { nearestDouble } from "./exact-number.ts";
import type { IssueList } from "./issue.ts";
import * as messages from "./issue-messages.ts";
import { readInstant, readTimestamp } from "./timestamp.ts";

export type ReadJson = (value: unknown, issues: IssueList) => unknown;
export type ReadText = (text: string, issues: IssueList) => unknown;

export interface ValueReader {
  /** Name of the type in "Expected …". */
  readonly what: string;
  readonly json: ReadJson;
  /** Reads the value from text; absent for types without a text form. */
  readonly text?: ReadText;
  /** Placeholder in a list or map for a value that has issues. */
  readonly zero: () => unknown;
}

export function scalarReader(field: DescField, part: Part, scalar: ScalarType): ValueReader {
  switch (scalar) {
    case ScalarType.STRING:
      if (getOption(field, file_text)) return fromString("string", readFileText, () => "");
      if (isId(getRules(field, part))) return fromString("string", readId, () => "");
      return fromString("string", isTelemetry(field) ? makeSendable : readString, () => "");
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
    // JSON numbers are exact up to 2^53 - 1.
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
  const read: ReadText = (text, issues) => {
    const number = allowed.get(text);
    if (number === undefined && isText(text, issues))
      issues.add("invalid_enum_value", messages.invalidEnumValue(names, text));
    return number;
  };
  const isString = field.enum !== undefined && isOfWords(field.enum);
  return fromString(isString ? "string" : messages.alternatives(names), read, () => 0);
}

/** A plain date is the start of the day; in a field named `end_date` or `end` it is the end of the day. */
export function timestampReader(field: DescField): ValueReader {
  const day = field.name === "end_date" || field.name === "end" ? "end" : "start";
  const reader = fromString(
    "string",
    (text, issues) => readDatetime(readTimestamp(text, day), text, issues),
    () => create(TimestampSchema),
  );
  if (!getOption(field, unix_ms)) return reader;
  const json: ReadJson = (sent, issues) => {
    const value = nearestDouble(sent);
    if (typeof value !== "number" && typeof value !== "string") return reader.json(value, issues);
    const instant = readInstant(value);
    if (instant === undefined || !("unit" in instant)) return readDatetime(instant, String(value), issues);
    return issues.add("invalid_string", messages.wrongUnit(String(value), instant.unit));
  };
  return { ...reader, json };
}

/** Returns true if a message may contain the string: without NUL (PostgreSQL) and lone surrogates (UTF-8). */
export function isText(text: string, issues: IssueList): boolean {
  if (text.includes("\0")) issues.add("invalid_string", messages.nul);
  else if (!text.isWellFormed()) issues.add("invalid_string", messages.illFormed);
  else return true;
  return false;
}

/**
 * Replaces lone surrogates, which UTF-8 cannot represent, with NUL in telemetry; the service replaces and counts both.
 */
export function makeSendable(text: string): string {
  return text.isWellFormed() ? text : text.replaceAll(/[\ud800-\udfff]/gu, "\0");
}

function readString(text: string, issues: IssueList): string | undefined {
  return isText(text, issues) ? text : undefined;
}

/** Replaces a lone surrogate with NUL, which protobuf can send; the service replaces and counts both. */
function readFileText(text: string): string {
  return text.isWellFormed() ? text : text.replaceAll(/[\ud800-\udfff]/gu, "\0");
}

/** Reads an id: a UUID, which is stored and compared in lower case. */
function readId(text: string, issues: IssueList): string | undefined {
  return readString(text, issues)?.toLowerCase();
}

function readDatetime(timestamp: Timestamp | undefined, text: string, issues: IssueList): Timestamp | undefined {
  if (timestamp === undefined && isText(text, issues)) issues.add("invalid_string", messages.invalidDatetime);
  return timestamp;
}

function readBase64(text: string, issues: IssueList): Uint8Array | undefined {
  if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return base64Decode(text);
  if (isText(text, issues)) issues.add("invalid_string", messages.invalidBase64);
  return undefined;
}

const bool: ValueReader = {
  what: "boolean",
  json: (value, issues) => (typeof value === "boolean" ? value : wrongType("boolean", value, issues)),
  text: (text, issues) => (text === "true" ? true : text === "false" ? false : wrongType("boolean", text, issues)),
  zero: () => false,
};

const floatMax = 2 ** 128 - 2 ** 104;

function double(max: number): ValueReader {
  const check = (value: number, issues: IssueList) => {
    if (!Number.isFinite(value)) return wrongType("number", value, issues);
    if (value > max) return issues.add("too_big", messages.numberAtMost(max));
    if (value < -max) return issues.add("too_small", messages.numberAtLeast(-max));
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
  // The message contains the declared range if that is narrower than the type's.
  const { lower = { value: min, isInclusive: true }, upper = { value: max, isInclusive: true } } = getBounds(
    getRules(field, part),
  );
  const check = (value: number, issues: IssueList) => {
    if (value < min) return issues.add("too_small", messages.numberAtLeast(lower.value, lower.isInclusive));
    if (value > max) return issues.add("too_big", messages.numberAtMost(upper.value, upper.isInclusive));
    if (!Number.isInteger(value)) return issues.add("invalid_type", messages.float);
    // Adding 0 turns -0 into 0.
    return make(value + 0);
  };
  return numeric(/^-?\d+(?:\.\d+)?$/, check, () => make(0));
}

function numeric(
  pattern: RegExp,
  check: (value: number, issues: IssueList) => unknown,
  zero: () => unknown,
): ValueReader {
  return {
    what: "number",
    json: (sent, issues) => {
      const value = nearestDouble(sent);
      return typeof value === "number" ? check(value, issues) : wrongType("number", value, issues);
    },
    text: (text, issues) => (pattern.test(text) ? check(Number(text), issues) : wrongType("number", text, issues)),
    zero,
  };
}

function fromString(what: string, read: ReadText, zero: () => unknown): ValueReader {
  return {
    what,
    json: (value, issues) => (typeof value === "string" ? read(value, issues) : wrongType(what, value, issues)),
    text: read,
    zero,
  };
}

export function wrongType(what: string, value: unknown, issues: IssueList): undefined {
  issues.add("invalid_type", messages.expected(what, nearestDouble(value)));
}
