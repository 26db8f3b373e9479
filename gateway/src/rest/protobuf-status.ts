// Errors of protobuf requests: google.rpc.Status, as OTLP over HTTP prescribes.

import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { Code } from "@ems/kit/errors";

export const protobufType = "application/x-protobuf";

const codes: Readonly<Record<number, Code>> = {
  400: Code.InvalidArgument,
  401: Code.Unauthenticated,
  403: Code.PermissionDenied,
  404: Code.NotFound,
  409: Code.Aborted,
  413: Code.OutOfRange,
  415: Code.InvalidArgument,
  422: Code.FailedPrecondition,
  429: Code.ResourceExhausted,
  503: Code.Unavailable,
  504: Code.DeadlineExceeded,
};

/** The fields `code` and `message`, by their numbers. */
export function protobufStatus(status: number, message: string): Buffer {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.Varint).int32(codes[status] ?? Code.Internal);
  writer.tag(2, WireType.LengthDelimited).string(message);
  return Buffer.from(writer.finish());
}
