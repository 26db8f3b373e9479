// Reasons of errors (ems.type.v1.ErrorReason), and the code that each has over gRPC. A reason's comment in the contract says
// the same, which a test compares.

import type { MessageShape } from "@bufbuild/protobuf";
import { Code, type ConnectError } from "@connectrpc/connect";
import { type ErrorInfo, ErrorInfoSchema } from "@ems/proto/google/rpc/error_details";
import type { ErrorReason } from "@ems/proto/type/v1/error_reason";

/** As on the wire: without the enum's prefix. */
export type Reason = Exclude<keyof typeof ErrorReason, "UNSPECIFIED">;

/** The domain of our reasons in ErrorInfo. */
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

/** What an error without a reason means: one that a library made, or a proxy. */
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

export function errorInfoOf(error: ConnectError): MessageShape<typeof ErrorInfoSchema> | undefined {
  return error.findDetails(ErrorInfoSchema).find(({ domain }) => domain === errorDomain);
}

/** The reason that the error carries, or else that of its code. */
export function reasonOf(error: ConnectError): Reason {
  const reason = errorInfoOf(error)?.reason;
  return isReason(reason) ? reason : reasonOfCode[error.code];
}

/** Metadata of an error that lists fewer issues than were found; empty when none is left out. */
export function issuesOmitted(count: number): Readonly<Record<string, string>> {
  return count > 0 ? { issuesOmitted: String(count) } : {};
}

/** The number of issues that were found and are not listed. */
export function omittedOf(error: ConnectError): number {
  return Number(errorInfoOf(error)?.metadata.issuesOmitted ?? 0);
}

/** The detail of an error that has this reason. */
export function errorInfo(reason: Reason, metadata: ErrorInfo["metadata"] = {}) {
  return { desc: ErrorInfoSchema, value: { reason, domain: errorDomain, metadata } };
}

function isReason(reason: string | undefined): reason is Reason {
  return reason !== undefined && Object.hasOwn(codeOfReason, reason);
}
