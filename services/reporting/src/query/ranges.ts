// Stretches of time, and sets of them. Times are milliseconds since 1970; a stretch has its start and not its end.

export interface Range {
  /** -Infinity for all that was. */
  readonly from: number;
  /** Infinity for all that comes. */
  readonly to: number;
}

/** A set of moments: stretches in their order, none of which touches the next. */
export type Ranges = readonly Range[];

export const always: Ranges = [{ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }];

/** The moments that are in both. */
export function intersection(a: Ranges, b: Ranges): Ranges {
  return a
    .flatMap((one) => b.map((other) => ({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) })))
    .filter(({ from, to }) => from < to);
}

/** The moments that are not in it. */
export function complement(ranges: Ranges): Ranges {
  const edges = [Number.NEGATIVE_INFINITY, ...ranges.flatMap(({ from, to }) => [from, to]), Number.POSITIVE_INFINITY];
  const gaps: Range[] = [];
  for (let at = 0; at < edges.length; at += 2) {
    const [from = 0, to = 0] = edges.slice(at, at + 2);
    if (from < to) gaps.push({ from, to });
  }
  return gaps;
}

/** `pieces`, which follow each other in time, as a set. */
export function joined(pieces: readonly Range[]): Ranges {
  const ranges: Range[] = [];
  for (const { from, to } of pieces) {
    const last = ranges.at(-1);
    if (last !== undefined && last.to === from) ranges[ranges.length - 1] = { from: last.from, to };
    else ranges.push({ from, to });
  }
  return ranges;
}
