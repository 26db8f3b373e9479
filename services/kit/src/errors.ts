// Creates all errors of the product; handlers throw them. Message and reason are for the caller, the cause is for the
// log. gateway/src/rest/errors.ts renders REST bodies, error-details.ts renders errors for gRPC clients.

import { create } from "@bufbuild/protobuf";
import { type Violation, violationsToProto } from "@bufbuild/protovalidate";
import {
  FieldPathElementSchema,
  type Violation as ViolationMessage,
  ViolationSchema,
  ViolationsSchema,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { ConnectError } from "@connectrpc/connect";
import { codeOfReason, errorInfo, issuesOmitted, type Reason } from "./error-reasons.ts";
import { type IssueCode, issuesMax } from "./json/issue.ts";
import { truncateViolations } from "./json/truncate.ts";

export { Code, ConnectError } from "@connectrpc/connect";
export { getReason, type Reason } from "./error-reasons.ts";

/** Metadata names of an error that reach the client. */
export const errorHeaders = ["retry-after", "ratelimit", "ratelimit-policy", "etag"] as const;

/** Message of every response with issues. */
export const invalidRequestData = "Invalid request data";

/** Retry delay if the time of recovery is unknown. */
const defaultDelayMs = 1_000;

interface ErrorOptions {
  /** Values from the message, for programs. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Retry delay for the client; undefined if a retry does not help. */
  readonly retryAfterMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly cause?: unknown;
}

/** Creates an error with a reason that has no function below. */
export function failure(
  reason: Reason,
  message: string,
  { metadata, retryAfterMs, headers, cause }: ErrorOptions = {},
): ConnectError {
  const retry = retryAfterMs === undefined ? undefined : { "retry-after": String(Math.ceil(retryAfterMs / 1000)) };
  // grpc-js throws on an unpaired surrogate, which may end a truncated message.
  const text = message.toWellFormed();
  return new ConnectError(text, codeOfReason[reason], { ...headers, ...retry }, [errorInfo(reason, metadata)], cause);
}

/** `what` does not exist for this caller, even if it exists for another tenant: "Topic not found". */
export function notFound(what: string): ConnectError {
  return failure("RESOURCE_NOT_FOUND", `${what} not found`, { metadata: { resource: what.toWellFormed() } });
}

/** Error for missing or unknown credentials. */
export function unauthenticated(
  reason: Extract<Reason, "API_KEY_MISSING" | "API_KEY_INVALID" | "APPLICATION_ID_MISSING"> = "API_KEY_INVALID",
  message = "Unauthorized",
): ConnectError {
  return failure(reason, message);
}

/** Error for known credentials that lack the permission. */
export function forbidden(
  reason: Extract<Reason, "APPLICATION_FORBIDDEN" | "CALLER_FORBIDDEN" | "TENANT_FORBIDDEN">,
  message = "Forbidden",
  metadata: Readonly<Record<string, string>> = {},
): ConnectError {
  return failure(reason, message, { metadata });
}

/** Error for a name, slug or id that a resource already has. */
export function conflict(message: string): ConnectError {
  return failure("RESOURCE_EXISTS", message);
}

/** Error for exceeding `max`, the maximum number of resources. */
export function limitReached(message: string, max: number): ConnectError {
  return failure("RESOURCE_LIMIT_REACHED", message, { metadata: { max: String(max) } });
}

/** Error for violations of the rules that the message declares. */
export function invalidRequest(violations: Violation[]): ConnectError {
  const first = violations.slice(0, issuesMax);
  return withViolations(violationsToProto(first)[0].violations, violations.length - first.length);
}

/** A violation that only the service can detect. */
export interface FieldViolation {
  /** Proto field names and list indexes, from the outermost inwards. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The issue's code; `custom` by default. */
  readonly code?: IssueCode;
}

/** Error for violations that only the service can detect; `omitted` is the number of further ones. */
export function invalidFields(violations: readonly FieldViolation[], omitted = 0): ConnectError {
  const first = violations.slice(0, issuesMax);
  return withViolations(first.map(toViolation), omitted + violations.length - first.length);
}

/** Error for one violation; `path` contains proto field names and list indexes. */
export function invalidField(path: (string | number)[], message: string): ConnectError {
  return invalidFields([{ path, message }]);
}

/** Error for a header with an invalid value. */
export function invalidHeader(
  name: string,
  message: string,
  reason: Extract<Reason, "METADATA_INVALID" | "IDEMPOTENCY_KEY_INVALID"> = "METADATA_INVALID",
): ConnectError {
  const violation = toViolation({ path: [name], message, code: "invalid_string" });
  const error = failure(reason, message, { metadata: { header: name } });
  error.details.push({ desc: ViolationsSchema, value: { violations: [violation] } });
  return error;
}

/** Error for a request that cannot be decoded as its message; `path` is the invalid field, if known. */
export function malformedRequest(path: readonly string[], message: string): ConnectError {
  const error = failure("REQUEST_MALFORMED", message);
  error.details.push({ desc: ViolationsSchema, value: { violations: [toViolation({ path, message })] } });
  return error;
}

/** Error for a page that exceeds the maximum response size; `fits` is a limit that would fit, if known. */
export function oversizedPage(message: string, fits?: number): ConnectError {
  const error = failure("ANSWER_TOO_LARGE", message, { metadata: fits === undefined ? {} : { limit: String(fits) } });
  error.details.push({ desc: ViolationsSchema, value: { violations: [toViolation({ path: ["limit"], message })] } });
  return error;
}

function withViolations(violations: readonly ViolationMessage[], omitted: number): ConnectError {
  const listed = truncateViolations(violations);
  const metadata = issuesOmitted(omitted + violations.length - listed.length);
  const error = failure("RULES_VIOLATED", invalidRequestData, { metadata });
  error.details.push({ desc: ViolationsSchema, value: { violations: listed } });
  return error;
}

function toViolation({ path, message, code = "custom" }: FieldViolation): ViolationMessage {
  return create(ViolationSchema, { ruleId: code, message, field: { elements: elements(path) } });
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

/** Error for a defective call within the mesh, such as one without a deadline. It has no violations. */
export function malformedCall(
  reason: Extract<Reason, "DEADLINE_MISSING" | "TENANT_MISSING">,
  message: string,
): ConnectError {
  return failure(reason, message);
}

/** Error for concurrent work on the same resource: a retry soon may succeed. */
export function busy(message: string): ConnectError {
  return failure("IDEMPOTENCY_KEY_IN_USE", message, { retryAfterMs: defaultDelayMs });
}

/** Error for a stored version that does not match If-Match; `etag` is undefined if nothing is stored. */
export function versionMismatch(etag?: string): ConnectError {
  const named = etag === undefined ? {} : { etag };
  const message =
    "The resource was changed after it was read: read it, and send the change with its new ETag in If-Match";
  return failure("VERSION_MISMATCH", message, { metadata: named, headers: named });
}

/** Error for a dependency that is down: a retry after the delay may succeed. */
export function unavailable(message = "Service unavailable", cause?: unknown, delayMs = defaultDelayMs): ConnectError {
  return failure("UPSTREAM_UNAVAILABLE", message, { retryAfterMs: delayMs, cause });
}

/** Error for load shedding, before anything was executed: a retry after the delay may succeed. */
export function overloaded(message: string, delayMs = defaultDelayMs, cause?: unknown): ConnectError {
  return failure("OVERLOADED", message, { retryAfterMs: delayMs, cause });
}

/** Cause of an error for a call without a response: there was no process, or the connection was lost. */
class Unanswered extends Error {
  override name = "Unanswered";
}

/** Like `unavailable`, for a call without a response; it may have been executed. */
export function unanswered(cause?: unknown): ConnectError {
  return unavailable(undefined, new Unanswered("No process answered", { cause }));
}

export function isUnanswered(error: unknown): boolean {
  return error instanceof ConnectError && error.cause instanceof Unanswered;
}

/** Error for a caller that exceeded the rate limit of the named policy. */
export function rateLimited(
  policy: string,
  message: string,
  delayMs: number,
  headers?: Readonly<Record<string, string>>,
): ConnectError {
  return failure("RATE_LIMITED", message, { metadata: { policy }, retryAfterMs: delayMs, headers });
}

/** Error for a caller that has too many requests in progress. */
export function concurrencyLimited(message: string, delayMs = defaultDelayMs): ConnectError {
  return failure("CONCURRENCY_LIMITED", message, { retryAfterMs: delayMs });
}

export function deadlineExceeded(cause?: unknown, message = "Deadline exceeded"): ConnectError {
  return failure("DEADLINE_EXCEEDED", message, { cause });
}

export function canceled(cause?: unknown): ConnectError {
  return failure("CANCELED", "Canceled", { cause });
}

export function unimplemented(method: string): ConnectError {
  return failure("RPC_UNKNOWN", `${method} is not implemented`);
}

/** Error for an unexpected failure: the caller gets no details; the cause is logged. */
export function internalError(cause: unknown): ConnectError {
  return failure("INTERNAL", "Internal server error", { cause });
}

/** Error for a request, or for the resource that it would create, that exceeds a size limit. */
export function tooLarge(message: string): ConnectError {
  return failure("REQUEST_TOO_LARGE", message);
}

/** Returns the error with other details, for another protocol or client. */
export function withDetails(error: ConnectError, details: ConnectError["details"]): ConnectError {
  const copy = new ConnectError(error.rawMessage, error.code, error.metadata, undefined, error.cause);
  copy.details = details;
  return copy;
}
