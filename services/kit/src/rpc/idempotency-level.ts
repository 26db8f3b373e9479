import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { http } from "@ems/proto/google/api/annotations";

/** Whether a call may be retried without an idempotency key: it is read-only, or its RPC declares an idempotency level. */
export function isIdempotent(method: DescMethod): boolean {
  return isReadOnly(method) || method.idempotency !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN;
}

/** Whether the RPC is a GET at the gateway. */
export function isReadOnly(method: DescMethod): boolean {
  return hasOption(method, http) && getOption(method, http).pattern.case === "get";
}
