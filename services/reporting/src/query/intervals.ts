/** Half-open, in milliseconds since 1970. */
export interface Interval {
  /** -Infinity when unbounded. */
  readonly from: number;
  /** Infinity when unbounded. */
  readonly to: number;
}

/** A set of moments: disjoint intervals in their order, none adjacent to the next. */
export type Intervals = readonly Interval[];

export const allTime: Intervals = [{ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }];

export function intersection(a: Intervals, b: Intervals): Intervals {
  return a
    .flatMap((one) => b.map((other) => ({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) })))
    .filter(({ from, to }) => from < to);
}

export function complement(intervals: Intervals): Intervals {
  const ends = [Number.NEGATIVE_INFINITY, ...intervals.flatMap(({ from, to }) => [from, to]), Number.POSITIVE_INFINITY];
  const gaps: Interval[] = [];
  for (let at = 0; at < ends.length; at += 2) {
    const [from = 0, to = 0] = ends.slice(at, at + 2);
    if (from < to) gaps.push({ from, to });
  }
  return gaps;
}

/** Merges adjacent intervals; `ordered` are disjoint and in their order. */
export function merged(ordered: readonly Interval[]): Intervals {
  const intervals: Interval[] = [];
  for (const { from, to } of ordered) {
    const last = intervals.at(-1);
    if (last?.to === from) intervals[intervals.length - 1] = { from: last.from, to };
    else intervals.push({ from, to });
  }
  return intervals;
}
