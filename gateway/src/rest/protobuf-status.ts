// Errors of protobuf requests: google.rpc.Status, as OTLP over HTTP prescribes.

import { create, toBinary } from "@bufbuild/protobuf";
import { Code } from "@ems/kit/errors";
import { StatusSchema } from "@ems/proto/google/rpc/status";

export const protobufType = "application/x-protobuf";

const codes: Readonly<Record<number, Code>> = {
  400: Code.InvalidArgument,
  401: Code.Unauthenticated,
  403: Code.PermissionDenied,
  404: Code.NotFound,
  409: Code.Aborted,
  413: Code.ResourceExhausted,
  415: Code.InvalidArgument,
  422: Code.FailedPrecondition,
  429: Code.ResourceExhausted,
  503: Code.Unavailable,
  504: Code.DeadlineExceeded,
};

export function protobufStatus(status: number, message: string): Buffer {
  return Buffer.from(toBinary(StatusSchema, create(StatusSchema, { code: codes[status] ?? Code.Internal, message })));
}
