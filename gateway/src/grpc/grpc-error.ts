// Errors over gRPC. A client repeats UNAVAILABLE and, if a RetryInfo says when, RESOURCE_EXHAUSTED.

import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { Code, ConnectError, internalError } from "@ems/kit/errors";
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
      return withCode(error, Code.ResourceExhausted);
    case Code.Canceled:
      return withRetryInfo(withCode(error, Code.Unavailable));
    case Code.Unavailable:
    case Code.ResourceExhausted:
      return withRetryInfo(error);
    default:
      return error;
  }
}

function withCode({ rawMessage, metadata, cause }: ConnectError, code: Code): ConnectError {
  return new ConnectError(rawMessage, code, metadata, undefined, cause);
}

/** google.rpc.RetryInfo, whose field 1 is a google.protobuf.Duration. */
function withRetryInfo(error: ConnectError): ConnectError {
  const seconds = Number(error.metadata.get("retry-after") ?? retryAfterSeconds);
  const duration = new BinaryWriter().tag(1, WireType.Varint).int64(seconds).finish();
  const value = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(duration).finish();
  const copy = new ConnectError(error.rawMessage, error.code, error.metadata, undefined, error.cause);
  copy.details = [...error.details, { type: "google.rpc.RetryInfo", value }];
  return copy;
}
