// Decodes both encodings of OTLP/HTTP into the generated messages.

import { type DescMessage, fromBinary, type MessageShape, toBinary, toJson } from "@bufbuild/protobuf";
import { invalidField } from "@ems/kit/errors";
import { messageBytesMax } from "@ems/kit/limits/sizes";
import { type JsonTextLimits, readJsonText, UnreadableText } from "@ems/kit/readers";
import { fromTolerantJson, type TolerantlyRead } from "./json-reader.ts";

const json = "application/json";

/** No limits here: the gateway has already limited the number of values and the depth. */
const requestLimits: JsonTextLimits = { values: Infinity, depth: Infinity, bytes: messageBytesMax };

/** Decodes a request. Reports errors in the payload as a violation of the field `payload`. */
export function decode<Desc extends DescMessage>(
  desc: Desc,
  payload: Uint8Array,
  contentType: string,
): TolerantlyRead<Desc> {
  return contentType === json ? readJson(desc, payload) : { message: readBinary(desc, payload), warnings: [] };
}

/** Encodes a response like its request. Counts are numbers in JSON too, because exporters expect numbers. */
export function encode<Desc extends DescMessage>(
  desc: Desc,
  message: MessageShape<Desc>,
  contentType: string,
): Uint8Array {
  if (contentType !== json) return toBinary(desc, message);
  const numbers = (name: string, value: unknown) => (name.startsWith("rejected") ? Number(value) : value);
  return Buffer.from(JSON.stringify(toJson(desc, message, { alwaysEmitImplicit: true }), numbers));
}

function readBinary<Desc extends DescMessage>(desc: Desc, payload: Uint8Array): MessageShape<Desc> {
  try {
    return fromBinary(desc, payload, { readUnknownFields: false });
  } catch {
    throw invalidField(["payload"], `Not a protobuf message of the type ${desc.typeName}`);
  }
}

function readJson<Desc extends DescMessage>(desc: Desc, payload: Uint8Array): TolerantlyRead<Desc> {
  let value: unknown = {};
  try {
    if (payload.length > 0)
      value = readJsonText(
        Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString(),
        requestLimits,
      );
  } catch (error) {
    throw invalidField(["payload"], error instanceof UnreadableText ? error.message : "Not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalidField(["payload"], "Expected an object");
  return fromTolerantJson(desc, value);
}
