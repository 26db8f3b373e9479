// Errors over gRPC. A client repeats UNAVAILABLE and, if a RetryInfo says when, RESOURCE_EXHAUSTED.

import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { Code, ConnectError, internalError, translated } from "@ems/kit/errors";
import { issuesOfError } from "@ems/kit/json/violations";

const retryAfterSeconds = 1;

export function grpcError(thrown: unknown): ConnectError {
  const error = thrown instanceof ConnectError ? thrown : internalError(thrown);
  switch (error.code) {
    case Code.InvalidArgument:
      // Without violations, the gateway's own call was wrong.
      return issuesOfError(error).length > 0 ? error : internalError(error);
    case Code.OutOfRange:
      // Too large: exporters repeat OUT_OF_RANGE.
      return translated(error, Code.ResourceExhausted);
    case Code.Canceled:
      return withRetryInfo(translated(error, Code.Unavailable));
    case Code.Unavailable:
    case Code.ResourceExhausted:
      return withRetryInfo(error);
    default:
      return error;
  }
}

/** google.rpc.RetryInfo, whose field 1 is a google.protobuf.Duration. */
function withRetryInfo(error: ConnectError): ConnectError {
  const seconds = Number(error.metadata.get("retry-after") ?? retryAfterSeconds);
  const duration = new BinaryWriter().tag(1, WireType.Varint).int64(seconds).finish();
  const value = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(duration).finish();
  return translated(error, error.code, [...error.details, { type: "google.rpc.RetryInfo", value }]);
}
