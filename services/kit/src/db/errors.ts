// The only classification of database errors: callers use these functions and never compare codes or messages.

import { DatabaseError } from "pg";
import { QueryFailedError, QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from "typeorm";
import { getReason, type Reason } from "../error-reasons.ts";
import { ConnectError, deadlineExceeded, unavailable } from "../errors.ts";

/**
 * SQLSTATEs of a PostgreSQL server that starts, stops, is full, fails over (25006: still read-only), chose a deadlock
 * victim or ended an idle transaction.
 */
const transientStates = /^(08|53|57P0[1-5]|25006|25P0[34]|40001|40P01|55P03)/;
/** query_canceled: the statement timeout, which follows the call's deadline. */
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
/**
 * System calls that only networks use. A missing socket file (ENOENT) or missing descriptors (EMFILE) also fail there.
 */
const networkCalls: ReadonlySet<string> = new Set(["connect", "getaddrinfo"]);
/**
 * Messages of errors of `pg` and `pg-pool` that have no code; errors.test.ts compares them with the installed versions.
 */
const clientMessages =
  /Connection terminated|^timeout expired$|timeout exceeded when trying to connect|Query read timeout|not queryable|Cannot use a pool after calling end|error establishing an SSL connection/;
const releasedRunner = [QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError];
/** Reasons of errors that may not recur on a retry. */
const transientReasons: ReadonlySet<Reason> = new Set<Reason>([
  "CANCELED",
  "CONCURRENCY_LIMITED",
  "DEADLINE_EXCEEDED",
  "OVERLOADED",
  "RATE_LIMITED",
  "UPSTREAM_UNAVAILABLE",
]);

/**
 * Returns the error for the caller of a failed database operation; undefined for a defect, such as a constraint
 * violation.
 */
export function databaseError(thrown: unknown): ConnectError | undefined {
  // TypeORM releases a runner whose connection is lost.
  if (releasedRunner.some((kind) => thrown instanceof kind)) return unavailable(undefined, thrown);
  const cause = thrown instanceof QueryFailedError ? thrown.driverError : thrown;
  if (!(cause instanceof Error)) return undefined;
  const code = getCode(cause);
  if (code === canceled) return deadlineExceeded(cause);
  if (transientStates.test(code) || isNetworkFault(cause) || clientMessages.test(cause.message))
    return unavailable(undefined, cause);
  return undefined;
}

/**
 * Returns true if the database, its pool or a called service is temporarily down or busy, so that neither code nor
 * request is wrong.
 */
export function isTransient(thrown: unknown): boolean {
  if (thrown instanceof ConnectError) return transientReasons.has(getReason(thrown));
  return databaseError(thrown) !== undefined;
}

/** Returns true if a value does not have the form of its column's type (class 22: data exceptions). */
export function isInvalidValue(thrown: unknown): boolean {
  const cause = thrown instanceof QueryFailedError ? thrown.driverError : thrown;
  return cause instanceof Error && getCode(cause).startsWith("22");
}

/** Returns true if a connection failed or was lost. A name with several addresses fails with an error for each. */
export function isNetworkFault(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (networkCodes.has(getCode(thrown)) || ("syscall" in thrown && networkCalls.has(String(thrown.syscall))))
    return true;
  return thrown instanceof AggregateError && thrown.errors.some(isNetworkFault);
}

/** Returns true if a connection failed, not a statement: the database is down or busy, or refused the login. */
export function isConnectionFailure(thrown: unknown): boolean {
  const isLoginRefused = thrown instanceof DatabaseError && /^(28|3D)/.test(getCode(thrown));
  return isLoginRefused || databaseError(thrown) !== undefined;
}

/** Returns true if PostgreSQL refused the password. */
export function isWrongPassword(thrown: unknown): boolean {
  return thrown instanceof DatabaseError && thrown.code === "28P01";
}

/**
 * Returns true if PostgreSQL ended a read by a serialization failure or a deadlock, as a standby does on a recovery
 * conflict.
 */
export function isRetryable(thrown: unknown): boolean {
  return thrown instanceof Error && /^(40001|40P01)$/.test(getCode(thrown));
}

/** Returns the name of the violated foreign key; undefined for another error. */
export function violatedForeignKey(thrown: unknown): string | undefined {
  return thrown instanceof DatabaseError && thrown.code === "23503" ? thrown.constraint : undefined;
}

/** Returns true for a violation of the unique constraint with that name. */
export function violatesUnique(thrown: unknown, constraint: string): boolean {
  return thrown instanceof DatabaseError && thrown.code === "23505" && thrown.constraint === constraint;
}

/** Returns the message if values do not fit their columns or violate a constraint; undefined for another error. */
export function findRowFault(thrown: unknown): string | undefined {
  return thrown instanceof DatabaseError && /^(22|23)/.test(getCode(thrown)) ? thrown.message : undefined;
}

/** Returns true if a lock could not be acquired within `lock_timeout`. */
export function isLockTimeout(thrown: unknown): boolean {
  return thrown instanceof DatabaseError && thrown.code === "55P03";
}

function getCode(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}
