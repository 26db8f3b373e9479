/** A statement as it goes to the database: what came from a client is among the values, never in the text. */
export interface Compiled {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The values of a statement that is being put together. The first is always the application: `$1`. */
export class Parameters {
  readonly values: unknown[];

  constructor(applicationId: string) {
    this.values = [applicationId];
  }

  /** SQL for a value of a PostgreSQL type. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}
