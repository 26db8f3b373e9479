/** A change of one rule in a source file. */
export interface Mutation {
  /** Path of the source file from the root. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** Label in reports and in the list of survivors: the line and the change. */
  readonly label: string;
  /** Test files. Default: the nearest ones by imports. */
  readonly tests?: readonly string[];
  /** Reason, for readers, that no test kills it. */
  readonly reason?: string | undefined;
}

/** Returns the source with the mutation applied. */
export function mutate(source: string, { start, end, replacement }: Mutation): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

/** Returns the trimmed line of the source at an offset. */
export function lineAt(source: string, offset: number): string {
  const from = source.lastIndexOf("\n", offset - 1) + 1;
  const to = source.indexOf("\n", offset);
  return source.slice(from, to < 0 ? undefined : to).trim();
}
