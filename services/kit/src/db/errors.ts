import { QueryFailedError, QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from "typeorm";
import { type ConnectError, deadlineExceeded, unavailable } from "../errors.ts";

/** PostgreSQL answers these when it is going away, starting, full, or has lost us: trying again may succeed. */
const passing = /^(08|53|57P0[1-5]|40001|40P01|25006|55P03)/;
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
const lostRunner = [QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError];

/** What a failure of the database means to a caller; undefined when it is a defect of ours, such as a broken constraint. */
export function databaseError(thrown: unknown): ConnectError | undefined {
  // TypeORM lets go of a runner whose connection is lost; whoever goes on using it hears this.
  if (lostRunner.some((kind) => thrown instanceof kind)) return unavailable(undefined, thrown);
  const cause = thrown instanceof QueryFailedError ? thrown.driverError : thrown;
  if (!(cause instanceof Error)) return undefined;
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  // query_canceled: the statement timeout, which is set from the call's deadline.
  if (code === "57014") return deadlineExceeded(cause);
  if (passing.test(code) || socketCodes.has(code) || clientMessages.test(cause.message))
    return unavailable(undefined, cause);
  return undefined;
}

/**
 * Whether PostgreSQL ended a read in favour of somebody else: on a standby what the primary did, such as a vacuum, wins in the
 * end, as a conflict with recovery or as a deadlock. Read anew, it sees what is there by now.
 */
export function hasGivenWay(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && /^(40001|40P01)$/.test(String(thrown.code));
}

/** Whether `thrown` is a broken unique constraint of that name. */
export function breaksUnique(thrown: unknown, constraint: string): boolean {
  if (!(thrown instanceof QueryFailedError)) return false;
  const { code, constraint: broken } = thrown.driverError as { code?: string; constraint?: string };
  return code === "23505" && broken === constraint;
}
