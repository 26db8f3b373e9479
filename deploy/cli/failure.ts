// How a command ends, in numbers that scripts can rely on.

export const exits = { done: 0, failed: 1, usage: 2, notFound: 3, auth: 4, conflict: 5 } as const;

/** Ends the command with that exit code and its message on stderr. */
export class Failure extends Error {
  readonly exit: number;

  constructor(message: string, exit: number = exits.failed) {
    super(message);
    this.exit = exit;
  }
}

/** A command line that cannot be meant. */
export function usage(message: string): Failure {
  return new Failure(message, exits.usage);
}

/** The exit code for an answer of the API that is no success. */
export function exitOf(status: number): number {
  if (status === 400) return exits.usage;
  if (status === 401 || status === 403) return exits.auth;
  if (status === 404) return exits.notFound;
  if (status === 409 || status === 422) return exits.conflict;
  return exits.failed;
}
