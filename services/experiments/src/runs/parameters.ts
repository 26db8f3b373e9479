/** The values of a statement that is put together from parts. */
export interface Parameters {
  /** Where the value stands in the text: `$1` and so on. */
  of(value: unknown): string;
  /** The values so far. */
  values(): unknown[];
}

export function parameters(): Parameters {
  const values: unknown[] = [];
  return {
    of: (value) => `$${values.push(value)}`,
    values: () => [...values],
  };
}
