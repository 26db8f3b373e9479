import { DatabaseError } from "pg";
import { QueryFailedError, QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from "typeorm";
import { type ConnectError, deadlineExceeded, unavailable } from "../errors.ts";

/** Transient: PostgreSQL starts, stops, is full, fails over, or chose a deadlock victim. */
const transient = /^(08|53|57P0[1-5]|40001|40P01|25006|55P03)/;
const socketCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
const clientMessages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/;
const releasedRunner = [QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError];

/** The error that a caller gets for a failure of the database; undefined for a defect, such as a constraint violation. */
export function databaseError(thrown: unknown): ConnectError | undefined {
  // TypeORM releases a runner whose connection is lost.
  if (releasedRunner.some((kind) => thrown instanceof kind)) return unavailable(undefined, thrown);
  const cause = thrown instanceof QueryFailedError ? thrown.driverError : thrown;
  if (!(cause instanceof Error)) return undefined;
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  // query_canceled: the statement timeout, which is set from the call's deadline.
  if (code === "57014") return deadlineExceeded(cause);
  if (transient.test(code) || socketCodes.has(code) || clientMessages.test(cause.message))
    return unavailable(undefined, cause);
  return undefined;
}

/** Whether PostgreSQL ended a read by a serialization failure or a deadlock, as a standby does on a recovery conflict. */
export function isRetryable(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && /^(40001|40P01)$/.test(String(thrown.code));
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
