// Exit codes, which stay the same so that scripts can rely on them. `errored`: too many tests have no verdict, so that
// the results are no measure. `stopped` is 128 + SIGINT.

export const exits = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  auth: 4,
  conflict: 5,
  errored: 6,
  stopped: 130,
} as const;

/** Error that ends the command with its exit code and prints its message to stderr. */
export class Failure extends Error {
  readonly exit: number;

  constructor(message: string, exit: number = exits.failed) {
    super(message);
    this.exit = exit;
  }
}

/** Creates the error for an invalid command line. */
export function usage(message: string): Failure {
  return new Failure(message, exits.usage);
}

/** Returns the exit code for the status of an unsuccessful API response. */
export function toExit(status: number): number {
  if (status === 400) return exits.usage;
  if (status === 401 || status === 403) return exits.auth;
  if (status === 404) return exits.notFound;
  if (status === 409 || status === 422) return exits.conflict;
  return exits.failed;
}
