// Error responses, rendered in one place: `{message}`, or `{message, issues}` for an invalid request. Causes are never shown.

import type { DescMessage } from "@bufbuild/protobuf";
import { Code, ConnectError, errorHeaders, internalError, invalidRequestData } from "@ems/kit/errors";
import type { Issue } from "@ems/kit/json/issue";
import { truncateIssues } from "@ems/kit/json/truncate";
import { issuesOfError } from "@ems/kit/json/violations";

export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly message: string; readonly issues?: readonly Issue[] };
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
  [Code.OutOfRange]: 413,
  [Code.Unimplemented]: 501,
  [Code.Internal]: 500,
  [Code.Unavailable]: 503,
  [Code.DataLoss]: 500,
  [Code.Unauthenticated]: 401,
};

/** Fixed messages: the errors' own may name hosts or internals. */
const fixedMessages: Readonly<Record<number, string>> = { 500: "Internal server error", 504: "Deadline exceeded" };

/** Default of `Retry-After`. */
const retryAfterSeconds = "1";

/** 400 with the issues, up to the limits of a response. */
export function invalidRequestResponse(issues: readonly Issue[]): ErrorResponse {
  return { status: 400, headers: {}, body: { message: invalidRequestData, issues: truncateIssues(issues) } };
}

/** `input` is the message that was sent to the service, if any; issues' paths name its fields. */
export function errorResponse(thrown: unknown, input?: DescMessage): ErrorResponse {
  const error = thrown instanceof ConnectError ? thrown : internalError(thrown);
  const issues = error.code === Code.InvalidArgument ? issuesOfError(error, input) : [];
  if (issues.length > 0) return invalidRequestResponse(issues);
  // Invalid without violations: the gateway's own call was wrong, which is no fault of the client.
  const status = error.code === Code.InvalidArgument ? 500 : statuses[error.code];
  const fixed = fixedMessages[status];
  if (fixed !== undefined) return { status, headers: {}, body: { message: fixed } };
  return { status, headers: headersOf(status, error), body: { message: error.rawMessage } };
}

function headersOf(status: number, error: ConnectError): Record<string, string> {
  if (status === 422 || error.code === Code.AlreadyExists) return { "x-should-retry": "false" };
  if (status !== 409 && status !== 429 && status !== 503) return {};
  const headers: Record<string, string> = { "retry-after": retryAfterSeconds };
  for (const name of errorHeaders) {
    const value = error.metadata.get(name);
    if (value !== null) headers[name] = value;
  }
  return headers;
}
