// Reasons of errors (ems.type.v1.ErrorReason) and their gRPC codes. A test compares them with the reasons' comments in
// the contract.

import type { MessageShape } from "@bufbuild/protobuf";
import { Code, type ConnectError } from "@connectrpc/connect";
import { type ErrorInfo, ErrorInfoSchema } from "@ems/proto/google/rpc/error_details";
import type { ErrorReason } from "@ems/proto/type/v1/error_reason";

/** Name of a reason on the wire: without the enum's prefix. */
export type Reason = Exclude<keyof typeof ErrorReason, "UNSPECIFIED">;

/** Domain of the product's reasons in ErrorInfo. */
export const errorDomain = "ems";

export const codeOfReason: Readonly<Record<Reason, Code>> = {
  API_KEY_MISSING: Code.Unauthenticated,
  API_KEY_INVALID: Code.Unauthenticated,
  APPLICATION_ID_MISSING: Code.Unauthenticated,
  APPLICATION_FORBIDDEN: Code.PermissionDenied,
  CALLER_TOKEN_MISSING: Code.Unauthenticated,
  CALLER_TOKEN_INVALID: Code.Unauthenticated,
  CALLER_TOKEN_EXPIRED: Code.Unauthenticated,
  CALLER_FORBIDDEN: Code.PermissionDenied,
  TENANT_FORBIDDEN: Code.PermissionDenied,
  TENANT_MISSING: Code.InvalidArgument,
  TENANT_UNKNOWN: Code.InvalidArgument,
  METADATA_INVALID: Code.InvalidArgument,
  DEADLINE_MISSING: Code.InvalidArgument,
  REQUEST_MALFORMED: Code.InvalidArgument,
  RULES_VIOLATED: Code.InvalidArgument,
  RESOURCE_NOT_FOUND: Code.NotFound,
  RESOURCE_EXISTS: Code.AlreadyExists,
  RESOURCE_LIMIT_REACHED: Code.FailedPrecondition,
  STATE_CONFLICT: Code.FailedPrecondition,
  WEBHOOK_INACTIVE: Code.FailedPrecondition,
  NOT_CONFIGURED: Code.FailedPrecondition,
  IDEMPOTENCY_KEY_INVALID: Code.InvalidArgument,
  IDEMPOTENCY_KEY_IN_USE: Code.Aborted,
  IDEMPOTENCY_KEY_REUSED: Code.FailedPrecondition,
  IDEMPOTENCY_ANSWER_NOT_STORED: Code.AlreadyExists,
  REQUEST_TOO_LARGE: Code.ResourceExhausted,
  ANSWER_TOO_LARGE: Code.ResourceExhausted,
  RATE_LIMITED: Code.ResourceExhausted,
  CONCURRENCY_LIMITED: Code.ResourceExhausted,
  OVERLOADED: Code.Unavailable,
  UPSTREAM_UNAVAILABLE: Code.Unavailable,
  DEADLINE_EXCEEDED: Code.DeadlineExceeded,
  CANCELED: Code.Canceled,
  RPC_UNKNOWN: Code.Unimplemented,
  RESUME_TOKEN_EXPIRED: Code.OutOfRange,
  INTERNAL: Code.Internal,
  SCOPE_MISSING: Code.PermissionDenied,
  VERSION_MISMATCH: Code.Aborted,
  IN_ARCHIVE: Code.FailedPrecondition,
};

/** Reasons by code, for errors without a reason because a library or a proxy created them. */
const reasonOfCode: Readonly<Record<Code, Reason>> = {
  [Code.Canceled]: "CANCELED",
  [Code.Unknown]: "INTERNAL",
  [Code.InvalidArgument]: "REQUEST_MALFORMED",
  [Code.DeadlineExceeded]: "DEADLINE_EXCEEDED",
  [Code.NotFound]: "RESOURCE_NOT_FOUND",
  [Code.AlreadyExists]: "RESOURCE_EXISTS",
  [Code.PermissionDenied]: "CALLER_FORBIDDEN",
  [Code.ResourceExhausted]: "REQUEST_TOO_LARGE",
  [Code.FailedPrecondition]: "STATE_CONFLICT",
  [Code.Aborted]: "IDEMPOTENCY_KEY_IN_USE",
  [Code.OutOfRange]: "RULES_VIOLATED",
  [Code.Unimplemented]: "RPC_UNKNOWN",
  [Code.Internal]: "INTERNAL",
  [Code.Unavailable]: "UPSTREAM_UNAVAILABLE",
  [Code.DataLoss]: "INTERNAL",
  [Code.Unauthenticated]: "CALLER_TOKEN_INVALID",
};

export function findErrorInfo(error: ConnectError): MessageShape<typeof ErrorInfoSchema> | undefined {
  return error.findDetails(ErrorInfoSchema).find(({ domain }) => domain === errorDomain);
}

/** Returns the error's reason; without one, the default reason of its code. */
export function getReason(error: ConnectError): Reason {
  const reason = findErrorInfo(error)?.reason;
  return isReason(reason) ? reason : reasonOfCode[error.code];
}

/** Returns the metadata of an error that lists only some of its issues; empty if it lists all. */
export function issuesOmitted(count: number): Readonly<Record<string, string>> {
  return count > 0 ? { issuesOmitted: String(count) } : {};
}

/** Returns the number of issues that the error omits. */
export function countOmitted(error: ConnectError): number {
  return Number(findErrorInfo(error)?.metadata.issuesOmitted ?? 0);
}

/** Creates the error detail with this reason. */
export function errorInfo(reason: Reason, metadata: ErrorInfo["metadata"] = {}) {
  return { desc: ErrorInfoSchema, value: { reason, domain: errorDomain, metadata } };
}

function isReason(reason: string | undefined): reason is Reason {
  return reason !== undefined && Object.hasOwn(codeOfReason, reason);
}
