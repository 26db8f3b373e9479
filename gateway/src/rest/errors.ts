// Error responses, rendered in one place: `{message}`, or `{message, issues}` for an invalid request. Causes are never
// exposed.

import type { DescMessage } from "@bufbuild/protobuf";
import { countOmitted } from "@ems/kit/error-reasons";
import {
  Code,
  ConnectError,
  errorHeaders,
  getReason,
  internalError,
  invalidRequestData,
  type Reason,
  unavailable,
} from "@ems/kit/errors";
import type { Issue } from "@ems/kit/json/issue";
import { truncateIssues } from "@ems/kit/json/truncate";
import { hasViolations, issuesOfError } from "@ems/kit/json/violations";
import { etagHeader } from "@ems/kit/rpc/etag";

export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly message: string; readonly issues?: readonly Issue[]; readonly issuesOmitted?: number };
}

const statuses: Readonly<Record<Code, number>> = {
  [Code.Canceled]: 503,
  [Code.Unknown]: 500,
  [Code.InvalidArgument]: 400,
  [Code.DeadlineExceeded]: 504,
  [Code.NotFound]: 404,
  [Code.AlreadyExists]: 409,
  [Code.PermissionDenied]: 403,
  [Code.ResourceExhausted]: 429,
  [Code.FailedPrecondition]: 422,
  [Code.Aborted]: 409,
  [Code.OutOfRange]: 400,
  [Code.Unimplemented]: 501,
  [Code.Internal]: 500,
  [Code.Unavailable]: 503,
  [Code.DataLoss]: 500,
  [Code.Unauthenticated]: 401,
};

/** Statuses of reasons, where HTTP is more specific than gRPC codes. */
const statusesOfReasons: Partial<Readonly<Record<Reason, number>>> = {
  REQUEST_TOO_LARGE: 413,
  ANSWER_TOO_LARGE: 400,
  RESOURCE_LIMIT_REACHED: 409,
  STATE_CONFLICT: 409,
  VERSION_MISMATCH: 412,
  IN_ARCHIVE: 409,
};

/** Fixed messages, required by the specification, or because the errors' own may name hosts or internals. */
const fixedMessages: Readonly<Record<number, string>> = {
  401: "Unauthorized",
  403: "Forbidden",
  500: "Internal server error",
  504: "Deadline exceeded",
};

/** Default of `Retry-After`. */
const retryAfterSeconds = "1";

/** Returns a 400 with the issues, up to a response's limits; `omitted` counts issues left out earlier. */
export function invalidRequestResponse(issues: readonly Issue[], omitted = 0): ErrorResponse {
  const listed = truncateIssues(issues, omitted);
  const body = { message: invalidRequestData, issues: listed.issues };
  return { status: 400, headers: {}, body: listed.omitted > 0 ? { ...body, issuesOmitted: listed.omitted } : body };
}

/** Renders an error. `input` is the message sent to the service, if any; paths of issues name its fields. */
export function errorResponse(thrown: unknown, input?: DescMessage): ErrorResponse {
  const error = publicError(thrown);
  const issues = issuesOfError(error, input);
  if (issues.length > 0) return invalidRequestResponse(issues, countOmitted(error));
  const status = getStatus(error);
  const fixed = getReason(error) === "SCOPE_MISSING" ? undefined : fixedMessages[status];
  if (fixed !== undefined) return { status, headers: {}, body: { message: fixed } };
  return { status, headers: getHeaders(status, error), body: { message: error.rawMessage } };
}

/** Returns the status for the error's reason, or else for its code. */
export function getStatus(error: ConnectError): number {
  return statusesOfReasons[getReason(error)] ?? statuses[error.code];
}

function getHeaders(status: number, error: ConnectError): Record<string, string> {
  const isPermanent = status === 422 || (status === 409 && error.code !== Code.Aborted);
  if (isPermanent) return { "x-should-retry": "false" };
  if (status === 412) return { "x-should-retry": "false", ...pickMetadata(error, [etagHeader]) };
  if (status !== 409 && status !== 429 && status !== 503) return {};
  return { "retry-after": retryAfterSeconds, ...pickMetadata(error, errorHeaders) };
}

function pickMetadata({ metadata }: ConnectError, names: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of names) {
    const value = metadata.get(name);
    if (value !== null) headers[name] = value;
  }
  return headers;
}

/** Reasons that mean the gateway's call was wrong: a gateway defect, not a client error. */
const ownFaults: ReadonlySet<Reason> = new Set([
  "CALLER_TOKEN_MISSING",
  "CALLER_TOKEN_INVALID",
  "CALLER_TOKEN_EXPIRED",
  "CALLER_FORBIDDEN",
  "TENANT_FORBIDDEN",
  "TENANT_MISSING",
  "TENANT_UNKNOWN",
  "METADATA_INVALID",
  "DEADLINE_MISSING",
]);

/** Returns the public part of an error, the same over REST and gRPC. */
export function publicError(thrown: unknown): ConnectError {
  const error = thrown instanceof ConnectError ? thrown : internalError(thrown);
  if (ownFaults.has(getReason(error)) && !hasViolations(error)) return internalError(error);
  // The service is stopping; a client that canceled would not read this.
  if (error.code === Code.Canceled) return unavailable(error.rawMessage, error);
  return error;
}
