import pg from "pg";

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

/** Whether a connection, not a statement, failed: no network, a server that starts, a wrong role, a file that is missing. */
export function isConnectionFailure(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|28|3D|57P)/.test(error.code ?? "");
  const isOfSystem = (each: unknown) => each instanceof Error && "syscall" in each;
  return isOfSystem(error) || (error instanceof AggregateError && error.errors.some(isOfSystem));
}
