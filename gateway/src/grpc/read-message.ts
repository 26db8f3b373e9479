// The request message of an RPC from its bytes, by the rules of REST: what its reader of JSON refuses is refused here too.

import { type DescMessage, fromBinary, fromJson, type JsonValue, type Message } from "@bufbuild/protobuf";
import { type ConnectError, invalidField, malformedRequest } from "@ems/kit/errors";
import { assertReadable, invalidIssues } from "@ems/kit/json/assert-readable";
import { echoed, tooDeep } from "@ems/kit/json/issue-messages";
import { tooManyValues } from "../limits/request-bodies.ts";
import { mediaType } from "../rest/media-type.ts";
import { type BodyMeasure, measureBody, parseBody } from "../rest/parse-body.ts";
import type { Route } from "../rest/routes.ts";
import { faultPath } from "./json-fault.ts";
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
  if (issues !== undefined) throw invalidIssues(desc, { issues, omitted: 0 });
  // What was parsed from JSON.
  const json = value as JsonValue;
  try {
    // Strict: unknown fields and enum values are errors.
    return fromJson(desc, json, { recursionLimit: messageDepthMax });
  } catch (error) {
    const path = faultPath(desc, json).map(echoed);
    throw malformedRequest(path, `${path.join(".")}${path.length > 0 ? ": " : ""}${echoed(textOf(error))}`);
  }
}

/** A message whose bytes the service reads, in a type that it reads. */
export function checkRaw({ mediaTypes }: Route, message: Message, valuesMax: number): void {
  const { payload, contentType } = message as Message & { payload: Uint8Array; contentType: string };
  const type = mediaType({ "content-type": contentType });
  if (type === undefined || !mediaTypes.includes(type)) {
    throw invalidField(["content_type"], `Must be ${mediaTypes.join(" or ")}`);
  }
  if (type !== "application/json") return;
  const { values, isTooDeep } = measureBody(payload, valuesMax);
  if (isTooDeep) throw invalidField(["payload"], tooDeep);
  if (values > valuesMax) throw tooManyValues(valuesMax);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function unreadable(error: unknown): ConnectError {
  return malformedRequest([], `The message cannot be read: ${echoed(textOf(error))}`);
}
