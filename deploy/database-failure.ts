import { isConnectionFailure } from "@ems/kit/db/errors";

/** Returns an error that says why a database cannot be used, with its address and without its password. */
export function databaseFailure(variable: string, url: string, error: unknown): Error {
  const host = URL.parse(url)?.host || "its address";
  return new Error(`PostgreSQL at ${host} (${variable}) cannot be used: ${getReason(error)}`, { cause: error });
}

/** Returns the message, or the first one if a host name with several addresses failed with one error per address. */
export function getReason(error: unknown): string {
  const [reason] = error instanceof AggregateError ? error.errors : [error];
  return reason instanceof Error ? reason.message : String(reason);
}

/** Returns true if connecting failed, or if a file that the URL names, such as a certificate, is missing. */
export function cannotConnect(error: unknown): boolean {
  return isConnectionFailure(error) || (error instanceof Error && "syscall" in error);
}
