import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { http } from "@ems/proto/google/api/annotations";

/** Whether a call may be made twice with no more effect than once: it only reads, or its RPC says so. */
export function isSafe(method: DescMethod): boolean {
  return isRead(method) || method.idempotency !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN;
}

/** Whether a call only reads: outside it is a GET. */
export function isRead(method: DescMethod): boolean {
  return hasOption(method, http) && getOption(method, http).pattern.case === "get";
}
