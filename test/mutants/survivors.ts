export interface Survivor {
  readonly file: string;
  readonly label: string;
  readonly reason: string;
}

/** Generated mutations that may survive, and why. */
export const survivors: readonly Survivor[] = [];
