// The request message of an RPC from its bytes, by the rules of REST: what its reader of JSON refuses is refused here too.

import {
  type DescField,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  type Message,
} from "@bufbuild/protobuf";
import { type ConnectError, type FieldViolation, invalidFields, malformedRequest } from "@ems/kit/errors";
import { checkMessage } from "@ems/kit/json/check-message";
import type { Issue } from "@ems/kit/json/issue";
import { findViolations } from "@ems/kit/json/validate";
import { issuesFromViolations } from "@ems/kit/json/violations";
import { type BodyMeasure, measureBody, parseBody } from "../rest/parse-body.ts";
import { measureMessage, messageDepthMax } from "./measure-message.ts";

/** Measures bytes before they are read. */
export function measure(desc: DescMessage, bytes: Uint8Array, isJson: boolean, valuesMax: number): BodyMeasure {
  if (isJson) return measureBody(bytes, valuesMax);
  try {
    return { values: measureMessage(desc, bytes, valuesMax), isTooDeep: false };
  } catch (error) {
    throw unreadable(error);
  }
}

/** Throws an invalid request that names the fields. */
export function readMessage(desc: DescMessage, bytes: Uint8Array, isJson: boolean, measured: BodyMeasure): Message {
  const message = isJson ? fromJsonBytes(desc, bytes, measured) : fromProtobuf(desc, bytes);
  const issues = checkMessage(desc, message);
  // The service finds what breaks rules; here only to be told in the same answer.
  if (issues.length > 0) throw invalid(desc, withRules(desc, message, issues));
  return message;
}

function fromProtobuf(desc: DescMessage, bytes: Uint8Array): Message {
  try {
    return fromBinary(desc, bytes, { readUnknownFields: false, recursionLimit: messageDepthMax });
  } catch (error) {
    throw unreadable(error);
  }
}

function fromJsonBytes(desc: DescMessage, bytes: Uint8Array, measured: BodyMeasure): Message {
  const { value, issues } = parseBody(bytes, measured);
  if (issues !== undefined) throw invalid(desc, issues);
  try {
    // Strict: unknown fields and enum values are errors.
    return fromJson(desc, value as JsonValue, { recursionLimit: messageDepthMax });
  } catch (error) {
    throw malformedRequest(fieldOf(error), textOf(error));
  }
}

/** The field that an error of protobuf's JSON reader names. */
function fieldOf(error: unknown): string[] {
  const field: unknown = error instanceof Error && "field" in error ? error.field : undefined;
  if (typeof field === "function") return [String((field() as { name: unknown }).name)];
  const unknown = /key "([^"]*)" is unknown/.exec(textOf(error))?.[1];
  return unknown === undefined ? [] : [unknown];
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function unreadable(error: unknown): ConnectError {
  return malformedRequest([], `The message cannot be read: ${textOf(error)}`);
}

function withRules(desc: DescMessage, message: Message, issues: readonly Issue[]): Issue[] {
  const paths = new Set(issues.map(({ path }) => path.join("\n")));
  const others = issuesFromViolations(desc, findViolations(desc, message), message);
  return [...issues, ...others.filter(({ path }) => !paths.has(path.join("\n")))];
}

function invalid(desc: DescMessage, issues: readonly Issue[]): ConnectError {
  return invalidFields(issues.map(({ code, message, path }) => ({ code, message, path: protoPath(desc, path) })));
}

/** The path of an issue, which has JSON names, with proto names and indexes. */
function protoPath(desc: DescMessage, path: readonly string[]): FieldViolation["path"] {
  const parts: (string | number)[] = [];
  let within: DescMessage | undefined = desc;
  let isElement = false;
  for (const part of path) {
    const field: DescField | undefined = isElement
      ? undefined
      : within?.fields.find(({ jsonName }) => jsonName === part);
    if (field !== undefined) {
      parts.push(field.name);
      within = field.message;
      isElement = field.fieldKind === "list" || field.fieldKind === "map";
    } else {
      parts.push(/^\d+$/.test(part) ? Number(part) : part);
      isElement = false;
    }
  }
  return parts;
}
