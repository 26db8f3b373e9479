// The one place where an error becomes an answer. Bodies are the specification's: `{message}`, or with issues when the
// request itself is at fault. A cause is never shown.

import type { DescMessage } from "@bufbuild/protobuf";
import { Code, ConnectError, errorHeaders, internalError, invalidRequestData } from "@ems/kit/errors";
import type { Issue } from "@ems/kit/json/issue";
import { truncateIssues } from "@ems/kit/json/truncate";
import { issuesOfError } from "@ems/kit/json/violations";

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly message: string; readonly issues?: readonly Issue[] };
}

/** What an error of a service, or of the gateway itself, is in HTTP. */
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

/** Told in these words, whatever the error says: a transport's own words name hosts, and a defect's may name anything. */
const fixedTexts: Readonly<Record<number, string>> = { 500: "Internal server error", 504: "Deadline exceeded" };

/** A passing fault is worth a second try after this many seconds when nobody says otherwise. */
const retryAfterSeconds = "1";

/** The answer to a request that is at fault itself, with everything that is wrong with it, or as much as an answer tells. */
export function invalidAnswer(issues: readonly Issue[]): ErrorAnswer {
  return { status: 400, headers: {}, body: { message: invalidRequestData, issues: truncateIssues(issues) } };
}

/** The answer for an error; `input` is the message that was sent to the service, if it came that far. */
export function errorAnswer(thrown: unknown, input?: DescMessage): ErrorAnswer {
  const error = thrown instanceof ConnectError ? thrown : internalError(thrown);
  const issues = error.code === Code.InvalidArgument ? issuesOfError(error, input) : [];
  if (issues.length > 0) return invalidAnswer(issues);
  // Without violations it is the gateway that has called wrongly, which the client cannot help.
  const status = error.code === Code.InvalidArgument ? 500 : statuses[error.code];
  const text = fixedTexts[status];
  if (text !== undefined) return { status, headers: {}, body: { message: text } };
  return { status, headers: headersOf(status, error), body: { message: error.rawMessage } };
}

function headersOf(status: number, error: ConnectError): Record<string, string> {
  if (status === 422 || error.code === Code.AlreadyExists) return { "x-should-retry": "false" };
  if (status === 409 || status === 429 || status === 503) {
    const told = errorHeaders.flatMap((name) =>
      error.metadata.has(name) ? [[name, error.metadata.get(name) ?? ""]] : [],
    );
    return { "retry-after": retryAfterSeconds, ...Object.fromEntries(told) };
  }
  return {};
}
