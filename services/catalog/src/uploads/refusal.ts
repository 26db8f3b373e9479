/** Error in an upload, as reported to its sender. */
export interface Fault {
  /** Part of the form that has the error. */
  readonly field: string;
  readonly message: string;
  /** True if a size limit is exceeded: 413 instead of 400. */
  readonly isTooLarge?: boolean;
}

/** Thrown by code that reads files. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly fault: Fault;

  constructor(message: string, { field = "file", isTooLarge = false }: Partial<Fault> = {}) {
    super(message);
    this.fault = { field, message, isTooLarge };
  }
}
