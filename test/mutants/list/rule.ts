/** A semantic mutation, stored with the tests: its rule must not get lost unnoticed. */
export interface Rule {
  readonly file: string;
  /** Text that occurs exactly once in the file. */
  readonly before: string;
  readonly after: string;
  /** Effect of the mutation on users if no test noticed it. */
  readonly breaks: string;
  /** The tests that kill it. */
  readonly tests: readonly string[];
  /** Reason for which it may survive. */
  readonly reason?: string;
}
