// Reads the request message of an RPC by the rules of REST: what its JSON reader rejects is rejected here too.

import type { DescMessage, JsonValue, Message } from "@bufbuild/protobuf";
import { messageFromJson } from "@ems/kit/codec";
import { type ConnectError, invalidField, malformedRequest } from "@ems/kit/errors";
import { assertReadable, invalidIssues } from "@ems/kit/json/assert-readable";
import { withDoubles } from "@ems/kit/json/exact-number";
import { echoed, tooDeep } from "@ems/kit/json/issue-messages";
import {
  type BodyMeasure,
  measureBody,
  measureMessage,
  measureRaw,
  messageDepthMax,
  type ValueLimits,
} from "../budget/index.ts";
import { mediaType, parseBody } from "../rest/body.ts";
import type { Route } from "../rest/routes.ts";
import { decodeInParts, type NextTurn } from "./decode-message.ts";
import { faultPath } from "./json-fault.ts";

/** Measures bytes before they are decoded. */
export function measure(desc: DescMessage, bytes: Uint8Array, isJson: boolean, limits: ValueLimits): BodyMeasure {
  if (isJson) return measureBody(bytes, limits);
  try {
    return measureMessage(desc, bytes, limits);
  } catch (error) {
    throw unreadable(error);
  }
}

/**
 * Decodes the bytes in parts, and validates the message in the next turn. Throws an invalid request that names the
 * fields.
 */
export async function readMessage(
  desc: DescMessage,
  bytes: Uint8Array,
  isJson: boolean,
  measured: BodyMeasure,
  nextTurn: NextTurn,
): Promise<Message> {
  const message = await decode(desc, bytes, isJson, measured, nextTurn);
  await nextTurn();
  assertReadable(desc, message);
  return message;
}

async function decode(
  desc: DescMessage,
  bytes: Uint8Array,
  isJson: boolean,
  measured: BodyMeasure,
  nextTurn: NextTurn,
): Promise<Message> {
  if (isJson) return fromJsonBytes(desc, bytes, measured, nextTurn);
  try {
    return await decodeInParts(desc, bytes, nextTurn);
  } catch (error) {
    throw unreadable(error);
  }
}

async function fromJsonBytes(
  desc: DescMessage,
  bytes: Uint8Array,
  measured: BodyMeasure,
  nextTurn: NextTurn,
): Promise<Message> {
  const { value, issues } = parseBody(bytes, measured);
  if (issues !== undefined) throw invalidIssues(desc, { issues, omitted: 0 });
  // The cast is safe: the value was parsed from JSON.
  const json = value as JsonValue;
  await nextTurn();
  try {
    // Strict mode: unknown fields and enum values are errors.
    return messageFromJson(desc, json, { recursionLimit: messageDepthMax });
  } catch (error) {
    const path = faultPath(desc, withDoubles(json)).map(echoed);
    throw malformedRequest(path, `${path.join(".")}${path.length > 0 ? ": " : ""}${echoed(toText(error))}`);
  }
}

/** Limits for the values of a message whose payload is parsed by a service. */
const rawValues = { values: 100, allValues: 1_000 };

/**
 * Reads a message whose payload the service reads. The payload stays bytes, so reading costs little before it is
 * charged.
 */
export async function readRaw(desc: DescMessage, bytes: Uint8Array, isJson: boolean): Promise<Message> {
  const measured = measure(desc, bytes, isJson, rawValues);
  if (measured.values > rawValues.values) throw malformedRequest([], `Expected a ${desc.name} message`);
  const message = await decode(desc, bytes, isJson, measured, async () => undefined);
  assertReadable(desc, message);
  return message;
}

/** Measures the payload of a message, which a service parses. Throws for an unsupported media type. */
export function measurePayload({ mediaTypes, method }: Route, message: Message, limits: ValueLimits): BodyMeasure {
  const { payload, contentType } = message as Message & { payload: Uint8Array; contentType: string };
  const type = mediaType({ "content-type": contentType });
  if (type === undefined || !mediaTypes.includes(type)) {
    throw invalidField(["content_type"], `Must be ${mediaTypes.join(" or ")}`);
  }
  const measured = measureRaw(method, payload, type, limits);
  if (measured.isTooDeep) throw invalidField(["payload"], tooDeep);
  return measured;
}

function toText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function unreadable(error: unknown): ConnectError {
  return malformedRequest([], `The message cannot be read: ${echoed(toText(error))}`);
}
