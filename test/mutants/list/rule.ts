/** A semantic mutation, kept with the tests: one rule that must not get lost unnoticed. */
export interface Rule {
  readonly file: string;
  /** Found once in the file. */
  readonly before: string;
  readonly after: string;
  /** Effect of the unnoticed mutation. */
  readonly breaks: string;
  /** The tests that kill it. */
  readonly tests: readonly string[];
  /** Why it may survive. */
  readonly reason?: string;
}
