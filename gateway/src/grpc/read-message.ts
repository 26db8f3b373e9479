// The request message of an RPC from its bytes, by the rules of REST: what its reader of JSON refuses is refused here too.

import { type DescMessage, fromBinary, fromJson, type JsonValue, type Message } from "@bufbuild/protobuf";
import { type ConnectError, malformedRequest } from "@ems/kit/errors";
import { assertReadable, invalidIssues } from "@ems/kit/json/assert-readable";
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
  assertReadable(desc, message);
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
  if (issues !== undefined) throw invalidIssues(desc, issues);
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
