// The only classification of database faults: callers ask these functions, and never compare codes or messages themselves.

import { DatabaseError } from "pg";
import { QueryFailedError, QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from "typeorm";
import { type Reason, reasonOf } from "../error-reasons.ts";
import { ConnectError, deadlineExceeded, unavailable } from "../errors.ts";

/**
 * SQLSTATEs of PostgreSQL that starts, stops, is full, fails over (25006: still read-only), chose a deadlock victim or ended an
 * idle transaction.
 */
const transientStates = /^(08|53|57P0[1-5]|25006|25P0[34]|40001|40P01|55P03)/;
/** query_canceled: the statement timeout, which is set from the call's deadline. */
const canceled = "57014";
const networkCodes: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_WRITE_AFTER_END",
  "ETIMEDOUT",
]);
/** System calls that only networks have: a missing socket file (ENOENT) or missing descriptors (EMFILE) fail there too. */
const networkCalls: ReadonlySet<string> = new Set(["connect", "getaddrinfo"]);
/** Errors of `pg` and `pg-pool` without a code, by their messages; errors.test.ts compares these with the installed versions. */
const clientMessages =
  /Connection terminated|^timeout expired$|timeout exceeded when trying to connect|Query read timeout|not queryable|Cannot use a pool after calling end|error establishing an SSL connection/;
const releasedRunner = [QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError];
/** Reasons of errors that a repetition may not meet again. */
const transientReasons: ReadonlySet<Reason> = new Set<Reason>([
  "CANCELED",
  "CONCURRENCY_LIMITED",
  "DEADLINE_EXCEEDED",
  "OVERLOADED",
  "RATE_LIMITED",
  "UPSTREAM_UNAVAILABLE",
]);

/** The error that a caller gets for a failure of the database; undefined for a defect, such as a constraint violation. */
export function databaseError(thrown: unknown): ConnectError | undefined {
  // TypeORM releases a runner whose connection is lost.
  if (releasedRunner.some((kind) => thrown instanceof kind)) return unavailable(undefined, thrown);
  const cause = thrown instanceof QueryFailedError ? thrown.driverError : thrown;
  if (!(cause instanceof Error)) return undefined;
  const code = codeOf(cause);
  if (code === canceled) return deadlineExceeded(cause);
  if (transientStates.test(code) || isNetworkFault(cause) || clientMessages.test(cause.message))
    return unavailable(undefined, cause);
  return undefined;
}

/** Whether the database, its pool or a called service is away or busy for now: neither a defect nor anyone's wrong request. */
export function isTransient(thrown: unknown): boolean {
  if (thrown instanceof ConnectError) return transientReasons.has(reasonOf(thrown));
  return databaseError(thrown) !== undefined;
}

/** Whether no connection came about, or one was lost. A name with several addresses fails with an error for each. */
export function isNetworkFault(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (networkCodes.has(codeOf(thrown)) || ("syscall" in thrown && networkCalls.has(String(thrown.syscall))))
    return true;
  return thrown instanceof AggregateError && thrown.errors.some(isNetworkFault);
}

/** Whether a connection failed, not a statement: the database is away or busy, or refused the login. */
export function isConnectionFailure(thrown: unknown): boolean {
  const isLoginRefused = thrown instanceof DatabaseError && /^(28|3D)/.test(codeOf(thrown));
  return isLoginRefused || databaseError(thrown) !== undefined;
}

/** Whether PostgreSQL refused the password. */
export function isWrongPassword(thrown: unknown): boolean {
  return thrown instanceof DatabaseError && thrown.code === "28P01";
}

/** Whether PostgreSQL ended a read by a serialization failure or a deadlock, as a standby does on a recovery conflict. */
export function isRetryable(thrown: unknown): boolean {
  return thrown instanceof Error && /^(40001|40P01)$/.test(codeOf(thrown));
}

/** The name of the foreign key whose row is missing; undefined for another error. */
export function violatedForeignKey(thrown: unknown): string | undefined {
  return thrown instanceof DatabaseError && thrown.code === "23503" ? thrown.constraint : undefined;
}

/** Whether `thrown` is a violation of the unique constraint of that name. */
export function violatesUnique(thrown: unknown, constraint: string): boolean {
  return thrown instanceof DatabaseError && thrown.code === "23505" && thrown.constraint === constraint;
}

/** Whether a lock could not be had within `lock_timeout`. */
export function isLockTimeout(thrown: unknown): boolean {
  return thrown instanceof DatabaseError && thrown.code === "55P03";
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}
