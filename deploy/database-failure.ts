import { isConnectionFailure } from "@ems/kit/db/errors";

/** A sentence on why a database cannot be used, with its address and without its password. */
export function databaseFailure(variable: string, url: string, error: unknown): Error {
  const host = URL.parse(url)?.host || "its address";
  return new Error(`PostgreSQL at ${host} (${variable}) cannot be used: ${reasonOf(error)}`, { cause: error });
}

/** A name with several addresses fails with an error for each, and without a message of its own. */
export function reasonOf(error: unknown): string {
  const [reason] = error instanceof AggregateError ? error.errors : [error];
  return reason instanceof Error ? reason.message : String(reason);
}

/** Whether the database cannot be used at all: its connections fail, or a file that its URL names is missing. */
export function cannotConnect(error: unknown): boolean {
  return isConnectionFailure(error) || (error instanceof Error && "syscall" in error);
}
