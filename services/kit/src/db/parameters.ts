/** Values of a statement that is composed from parts, so that request values are never in the text. */
export class Parameters {
  readonly values: unknown[];

  constructor(...values: unknown[]) {
    this.values = values;
  }

  /** Adds a value and returns its placeholder, with a cast if `type` is set. */
  add(value: unknown, type?: string): string {
    const placeholder = `$${this.values.push(value)}`;
    return type === undefined ? placeholder : `${placeholder}::${type}`;
  }
}
