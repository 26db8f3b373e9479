// google.rpc.Status with an error's details. Connect's own encoder and decoder would convert through base64 and text.

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { type Any, anyPack } from "@bufbuild/protobuf/wkt";
import { type Code, ConnectError } from "@connectrpc/connect";
import { StatusSchema } from "@ems/proto/google/rpc/status";

const typePrefix = "type.googleapis.com/";

export function statusBytes({ code, rawMessage, details }: ConnectError): Buffer {
  const packed = details.map((detail) =>
    "desc" in detail
      ? anyPack(detail.desc, create(detail.desc, detail.value))
      : { typeUrl: typePrefix + detail.type, value: detail.value },
  );
  return Buffer.from(toBinary(StatusSchema, create(StatusSchema, { code, message: rawMessage, details: packed })));
}

/** Decodes the error in `bytes`; `code` is the transport's. */
export function errorOfStatus(bytes: Uint8Array, code: Code, cause: unknown): ConnectError {
  const { message, details } = fromBinary(StatusSchema, bytes);
  const error = new ConnectError(message, code, undefined, undefined, cause);
  error.details = details.map(({ typeUrl, value }: Any) => ({
    type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1),
    value,
  }));
  return error;
}
