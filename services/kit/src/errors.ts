// The one place where errors of the product are made. Handlers throw these; transports carry them; the gateway renders
// them once (gateway/src/rest/errors.ts). The message of each is for the caller; a cause is for the log only.

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

/** What an error may say beside its words: when to come again, and what of a limit is left. The rest of its metadata stays here. */
export const errorHeaders = ["retry-after", "ratelimit", "ratelimit-policy"] as const;

/** The message of every answer that carries issues. */
export const invalidRequestData = "Invalid request data";

/** What was asked for does not exist for this caller, whether or not it exists for another: "Topic not found". */
export function notFound(what: string): ConnectError {
  return new ConnectError(`${what} not found`, Code.NotFound);
}

/** No credentials, or unknown ones. */
export function unauthenticated(): ConnectError {
  return new ConnectError("Unauthorized", Code.Unauthenticated);
}

/** Known credentials that do not reach what was asked for. */
export function forbidden(message = "Forbidden"): ConnectError {
  return new ConnectError(message, Code.PermissionDenied);
}

/** A permanent conflict with what exists; the same call cannot succeed later. */
export function conflict(message: string): ConnectError {
  return new ConnectError(message, Code.AlreadyExists);
}

/** The request breaks rules that its message declares. */
export function invalidRequest(violations: Violation[]): ConnectError {
  return withViolations(violationsToProto(violations.slice(0, gatheredMax))[0].violations);
}

/** Something that is wrong with a request and that only the service knows. */
export interface Fault {
  /** Proto field names and list indexes, from the outermost inwards. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The issue's code; `custom` unless given. */
  readonly code?: IssueCode;
}

/** The request breaks rules that only the service knows. */
export function invalidFields(faults: readonly Fault[]): ConnectError {
  const violations = faults.map(({ path, message, code = "custom" }) =>
    create(ViolationSchema, { ruleId: code, message, field: { elements: elements(path) } }),
  );
  return withViolations(violations);
}

function withViolations(violations: readonly ViolationMessage[]): ConnectError {
  const value = create(ViolationsSchema, { violations: truncateViolations(violations) });
  return new ConnectError(invalidRequestData, Code.InvalidArgument, undefined, [{ desc: ViolationsSchema, value }]);
}

/** The request breaks one rule that only the service knows; `path` holds proto field names and list indexes. */
export function invalidField(path: (string | number)[], message: string): ConnectError {
  return invalidFields([{ path, message }]);
}

function elements(path: readonly (string | number)[]) {
  return path.reduce<ReturnType<typeof element>[]>((made, part) => {
    const last = made.at(-1);
    if (typeof part === "number" && last !== undefined) last.subscript = { case: "index", value: BigInt(part) };
    else made.push(element(String(part)));
    return made;
  }, []);
}

function element(fieldName: string) {
  return create(FieldPathElementSchema, { fieldName });
}

/**
 * A call that breaks the mesh's own terms, such as one without a deadline: the calling program is wrong. It carries no
 * violations, which tells it from a request that is at fault.
 */
export function malformedCall(message: string): ConnectError {
  return new ConnectError(message, Code.InvalidArgument);
}

/** The request is well-formed but cannot be taken as what it says it is: a repeat that is no repeat. */
export function unprocessable(message: string): ConnectError {
  return new ConnectError(message, Code.FailedPrecondition);
}

/** Something else is at work on the very same thing; trying again in a moment may succeed. */
export function busy(message: string): ConnectError {
  return new ConnectError(message, Code.Aborted);
}

/** Something that the answer depends on is down; trying again later, after `retryAfterMs`, may succeed. */
export function unavailable(message = "Service unavailable", cause?: unknown, retryAfterMs?: number): ConnectError {
  const headers = retryAfterMs === undefined ? undefined : { "retry-after": String(Math.ceil(retryAfterMs / 1000)) };
  return new ConnectError(message, Code.Unavailable, headers, undefined, cause);
}

/** Nobody answered a call: no process was there, or its connection was lost. */
class Unanswered extends Error {
  override name = "Unanswered";
}

/** As `unavailable`, for a call that no process answered; one may have begun it. */
export function unanswered(cause?: unknown): ConnectError {
  return unavailable(undefined, new Unanswered("No process answered", { cause }));
}

export function isUnanswered(error: unknown): boolean {
  return error instanceof ConnectError && error.cause instanceof Unanswered;
}

/** Too many of these from one caller; `retryAfterMs` is when it may come again, `headers` what else it is told. */
export function tooManyRequests(
  message: string,
  retryAfterMs: number,
  headers: Record<string, string> = {},
): ConnectError {
  const retryAfter = String(Math.ceil(retryAfterMs / 1000));
  return new ConnectError(message, Code.ResourceExhausted, { ...headers, "retry-after": retryAfter });
}

/** The time that the caller gave is over. */
export function deadlineExceeded(cause?: unknown): ConnectError {
  return new ConnectError("Deadline exceeded", Code.DeadlineExceeded, undefined, undefined, cause);
}

/** The caller went away. */
export function canceled(cause?: unknown): ConnectError {
  return new ConnectError("Canceled", Code.Canceled, undefined, undefined, cause);
}

/** The service does not have the method. */
export function unimplemented(method: string): ConnectError {
  return new ConnectError(`${method} is not implemented`, Code.Unimplemented);
}

/** A defect: the caller hears nothing but that, the log has the cause. */
export function internalError(cause: unknown): ConnectError {
  return new ConnectError("Internal server error", Code.Internal, undefined, undefined, cause);
}

/** The request, or what it would make, is larger than the product takes. */
export function tooLarge(message: string): ConnectError {
  return new ConnectError(message, Code.OutOfRange);
}
