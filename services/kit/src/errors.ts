// All errors of the product are created here, thrown by handlers and rendered once, by gateway/src/rest/errors.ts. The
// message is for the caller, the cause for the log.

import { create } from "@bufbuild/protobuf";
import { type Violation, violationsToProto } from "@bufbuild/protovalidate";
import {
  FieldPathElementSchema,
  type Violation as ViolationMessage,
  ViolationSchema,
  ViolationsSchema,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { Code, ConnectError } from "@connectrpc/connect";
import { gatheredMax, type IssueCode } from "./json/issue.ts";
import { truncateViolations } from "./json/truncate.ts";

export { Code, ConnectError } from "@connectrpc/connect";

/** The metadata of an error that reaches the client. */
export const errorHeaders = ["retry-after", "ratelimit", "ratelimit-policy"] as const;

/** The message of every response with issues. */
export const invalidRequestData = "Invalid request data";

/** `what` does not exist for this caller, whether or not it exists for another tenant: "Topic not found". */
export function notFound(what: string): ConnectError {
  return new ConnectError(`${what} not found`, Code.NotFound);
}

/** No credentials, or unknown ones. */
export function unauthenticated(message = "Unauthorized"): ConnectError {
  return new ConnectError(message, Code.Unauthenticated);
}

/** Known credentials without the permission. */
export function forbidden(message = "Forbidden"): ConnectError {
  return new ConnectError(message, Code.PermissionDenied);
}

/** A permanent conflict with what exists: a retry cannot succeed. */
export function conflict(message: string): ConnectError {
  return new ConnectError(message, Code.AlreadyExists);
}

/** Violations of the rules that the message declares. */
export function invalidRequest(violations: Violation[]): ConnectError {
  return withViolations(violationsToProto(violations.slice(0, gatheredMax))[0].violations);
}

/** A violation that only the service can detect. */
export interface FieldViolation {
  /** Proto field names and list indexes, from the outermost inwards. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The issue's code; `custom` unless given. */
  readonly code?: IssueCode;
}

/** A request with violations that only the service can detect. */
export function invalidFields(violations: readonly FieldViolation[]): ConnectError {
  const messages = violations.map(({ path, message, code = "custom" }) =>
    create(ViolationSchema, { ruleId: code, message, field: { elements: elements(path) } }),
  );
  return withViolations(messages);
}

function withViolations(violations: readonly ViolationMessage[]): ConnectError {
  const value = create(ViolationsSchema, { violations: truncateViolations(violations) });
  return new ConnectError(invalidRequestData, Code.InvalidArgument, undefined, [{ desc: ViolationsSchema, value }]);
}

/** One violation; `path` has proto field names and list indexes. */
export function invalidField(path: (string | number)[], message: string): ConnectError {
  return invalidFields([{ path, message }]);
}

function elements(path: readonly (string | number)[]) {
  return path.reduce<ReturnType<typeof element>[]>((result, part) => {
    const last = result.at(-1);
    if (typeof part === "number" && last !== undefined) last.subscript = { case: "index", value: BigInt(part) };
    else result.push(element(String(part)));
    return result;
  }, []);
}

function element(fieldName: string) {
  return create(FieldPathElementSchema, { fieldName });
}

/** A defective call within the mesh, such as one without a deadline. Unlike an invalid request it has no violations. */
export function malformedCall(message: string): ConnectError {
  return new ConnectError(message, Code.InvalidArgument);
}

/** A well-formed request that cannot be processed, such as another one under a used idempotency key. */
export function unprocessable(message: string): ConnectError {
  return new ConnectError(message, Code.FailedPrecondition);
}

/** Concurrent work on the same thing: a retry may succeed in a moment. */
export function busy(message: string): ConnectError {
  return new ConnectError(message, Code.Aborted);
}

/** A dependency is down: a retry after `retryAfterMs` may succeed. */
export function unavailable(message = "Service unavailable", cause?: unknown, retryAfterMs?: number): ConnectError {
  const headers = retryAfterMs === undefined ? undefined : { "retry-after": String(Math.ceil(retryAfterMs / 1000)) };
  return new ConnectError(message, Code.Unavailable, headers, undefined, cause);
}

/** No response to a call: no process was there, or its connection was lost. */
class Unanswered extends Error {
  override name = "Unanswered";
}

/** As `unavailable`, for a call without a response; it may have been executed. */
export function unanswered(cause?: unknown): ConnectError {
  return unavailable(undefined, new Unanswered("No process answered", { cause }));
}

export function isUnanswered(error: unknown): boolean {
  return error instanceof ConnectError && error.cause instanceof Unanswered;
}

/** A limit of one caller is exceeded. */
export function tooManyRequests(
  message: string,
  retryAfterMs: number,
  headers: Record<string, string> = {},
): ConnectError {
  const retryAfter = String(Math.ceil(retryAfterMs / 1000));
  return new ConnectError(message, Code.ResourceExhausted, { ...headers, "retry-after": retryAfter });
}

export function deadlineExceeded(cause?: unknown): ConnectError {
  return new ConnectError("Deadline exceeded", Code.DeadlineExceeded, undefined, undefined, cause);
}

export function canceled(cause?: unknown): ConnectError {
  return new ConnectError("Canceled", Code.Canceled, undefined, undefined, cause);
}

export function unimplemented(method: string): ConnectError {
  return new ConnectError(`${method} is not implemented`, Code.Unimplemented);
}

/** An unexpected error: the caller gets no details, the log has the cause. */
export function internalError(cause: unknown): ConnectError {
  return new ConnectError("Internal server error", Code.Internal, undefined, undefined, cause);
}

/** The request, or its result, exceeds a size limit. */
export function tooLarge(message: string): ConnectError {
  return new ConnectError(message, Code.OutOfRange);
}

/** The error as another protocol has it: with another code, or with details that it can read. */
export function translated(
  error: ConnectError,
  code: Code,
  details: ConnectError["details"] = error.details,
): ConnectError {
  const copy = new ConnectError(error.rawMessage, code, error.metadata, undefined, error.cause);
  copy.details = details;
  return copy;
}
