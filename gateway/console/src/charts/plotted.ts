// Texts of the values that a chart draws.

export interface PlottedValue {
  readonly label: string;
  readonly value: number;
  readonly text: string;
}

export interface Plotted {
  /** Headings of the columns; the first is that of the rows' names. */
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Values in the order of the x axis, for the chart's name. Without those that are missing. */
  readonly values: readonly PlottedValue[];
}

/** Describes values as "Lowest 62 % (Nov 3), highest 91 % (Nov 9), latest 83 % (Nov 28)". */
export function describeValues(values: readonly PlottedValue[]): string {
  const [first] = values;
  const latest = values.at(-1);
  if (first === undefined || latest === undefined) return "No values";
  const extreme = (isBeyond: (value: number, than: number) => boolean) =>
    values.reduce((found, each) => (isBeyond(each.value, found.value) ? each : found), first);
  const words = ({ text, label }: PlottedValue) => `${text} (${label})`;
  const lowest = extreme((value, than) => value < than);
  const highest = extreme((value, than) => value > than);
  return `Lowest ${words(lowest)}, highest ${words(highest)}, latest ${words(latest)}`;
}
