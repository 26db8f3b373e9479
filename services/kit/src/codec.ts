// Encodes and decodes messages whose free JSON may have exact numbers (json/exact-number.ts). Use it instead of the
// library's functions for every message that can have free JSON.

import {
  type BinaryReadOptions,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonReadOptions,
  type JsonValue,
  type MessageShape,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { applyExactField, findExact, joinExact, joinJson, splitExact, withExactField } from "./json/exact-fields.ts";
import { withDoubles } from "./json/exact-number.ts";

export { applyExactField } from "./json/exact-fields.ts";

/** Encodes a message in protobuf's binary format. */
export function encodeMessage<Desc extends DescMessage>(desc: Desc, message: MessageShape<Desc>): Uint8Array {
  return toBinary(desc, encodable(desc, message));
}

/** Returns the message in the form that the library's encoders take: the same one if it has no exact numbers. */
export function encodable<Desc extends DescMessage>(desc: Desc, message: MessageShape<Desc>): MessageShape<Desc> {
  const { message: split, found } = splitExact(desc, message);
  return found.length === 0 ? split : withExactField(split, found);
}

/** Decodes a message; throws if the bytes are not one. */
export function decodeMessage<Desc extends DescMessage>(
  desc: Desc,
  bytes: Uint8Array,
  options?: Partial<BinaryReadOptions>,
): MessageShape<Desc> {
  const message = fromBinary(desc, bytes, options);
  applyExactField(desc, message, bytes);
  return message;
}

/** Converts a message to protobuf's JSON, with exact numbers in it. */
export function messageToJson<Desc extends DescMessage>(desc: Desc, message: MessageShape<Desc>): JsonValue {
  const { message: split, found } = splitExact(desc, message);
  let json: JsonValue = toJson<DescMessage>(desc, split);
  for (const { path, digits } of found) json = joinJson(json, path, digits);
  return json;
}

/** Reads a message from protobuf's JSON; throws if it is not one. */
export function messageFromJson<Desc extends DescMessage>(
  desc: Desc,
  json: JsonValue,
  options?: Partial<JsonReadOptions>,
): MessageShape<Desc> {
  const message = fromJson(desc, withDoubles(json), options);
  joinExact(desc, message, findExact(json));
  return message;
}
