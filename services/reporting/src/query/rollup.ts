// Selects the days that the rollup answers, and the rows to read in addition. A bucket's bounds need not be UTC
// midnights, so the rows between a bound and its nearest midnight are added to one bucket and subtracted from the
// other.

import { type Column, isOnTimeline, type Source } from "../sources/index.ts";
import { allTime, type Bucket, type Interval, type Intervals, intersection } from "./dates.ts";
import type { Filter, Plan } from "./plan.ts";

/** An interval of a bucket; null when the report has no buckets. */
export interface BucketInterval extends Interval {
  readonly bucket: number | null;
}

/** Rows to add to a bucket, to subtract from one, or both. */
export interface Edge extends Interval {
  readonly addTo?: number | null;
  readonly subtractFrom?: number | null;
}

export interface DaySplit {
  /** Whole UTC days, answered by the rollup. */
  readonly wholeDays: readonly BucketInterval[];
  /** Parts of days, answered by rows. */
  readonly edges: readonly Edge[];
}

const dayMs = 86_400_000;

/**
 * A row at an edge costs three times a row of a full scan, which runs in parallel. Above this share of the time, a
 * scan is used.
 */
const edgesShareMax = 0.3;

/** Returns whether the source's rollup is grouped by the column. */
export function isRollupDimension({ rollup }: Source, { id }: Column): boolean {
  return rollup !== undefined && id in rollup.dimensions;
}

/** Returns whether the source's rollup has the column's sums. */
export function isRollupSum({ rollup }: Source, { id }: Column): boolean {
  return rollup !== undefined && id in rollup.sums;
}

/** Returns whether the rollup has the plan's columns, wherever its buckets begin. */
export function isRollupSufficient({
  source,
  includeArchived,
  filters,
  groupings,
  measures,
  isGrouped,
}: Plan): boolean {
  const { rollup } = source;
  if (rollup === undefined || !includeArchived || !isGrouped) return false;
  const onTimeline = groupings.filter(({ column }) => isOnTimeline(source, column));
  const otherFilters = filters.filter(
    ({ column }) => !isOnTimeline(source, column) && !(column.id in rollup.dimensions),
  );
  return (
    onTimeline.length <= 1 &&
    groupings.every(({ column }) => isOnTimeline(source, column) || column.id in rollup.dimensions) &&
    measures.every(({ column }) => column === undefined || (column.id in rollup.sums && otherFilters.length === 0)) &&
    // A rollup has no squares.
    !measures.some(({ type, column }) => type === "interval" && column?.type !== "boolean") &&
    otherFilters.length <= 1 &&
    otherFilters.every((filter) => isCountFilter(source, filter))
  );
}

/**
 * Returns whether the filter is on a boolean with sums. The rollup can count the rows that match it, but not measure
 * them.
 */
function isCountFilter({ rollup }: Source, { kind, column }: Filter): boolean {
  return kind === "boolean" && rollup !== undefined && column.id in rollup.sums;
}

/** SQL for the number of a rollup row's rows that match the filters on neither time nor dimensions. */
export function matchingRows({ source, filters }: Plan): string {
  const filter = filters.find((candidate) => isCountFilter(source, candidate));
  if (filter?.kind !== "boolean") return "r.rows";
  const prefix = `r.${source.rollup?.sums[filter.column.id]}`;
  const equal = filter.value ? `${prefix}_true` : `(${prefix}_rows - ${prefix}_true)`;
  return filter.isNegated ? `(r.rows - ${equal})` : equal;
}

/** Returns the bounds of the timeline from the plan's filters. */
export function timeBounds({ source, filters }: Plan): Intervals {
  return filters.reduce<Intervals>((bounds, filter) => {
    const isTime = filter.kind === "date" && isOnTimeline(source, filter.column);
    return isTime ? intersection(bounds, filter.intervals) : bounds;
  }, allTime);
}

/**
 * Returns whole days and edges; undefined if a scan of the rows costs less. `buckets` belong to the plan's grouping by
 * time, if it has one.
 */
export function splitByDay(
  plan: Plan,
  bounds: Intervals,
  buckets: readonly Bucket[] | undefined,
): DaySplit | undefined {
  const { intervals, ...split } = splitIntoDays(plan, bounds, buckets);
  const measureLength = (parts: readonly Interval[]) => parts.reduce((sum, { from, to }) => sum + (to - from), 0);
  return measureLength(split.edges) <= edgesShareMax * measureLength(intervals) ? split : undefined;
}

/** Like `splitByDay`, whatever the cost, and returns the split intervals, too. */
export function splitIntoDays(
  plan: Plan,
  bounds: Intervals,
  buckets: readonly Bucket[] | undefined,
): DaySplit & { readonly intervals: readonly Interval[] } {
  const intervals =
    buckets === undefined ? bounds.map((interval) => ({ ...interval, bucket: null })) : clip(buckets, bounds);
  // A minimum or maximum cannot be subtracted.
  const isSubtractable = plan.measures.every(({ type, column }) => {
    return column?.type === "boolean" || (type !== "min" && type !== "max");
  });
  return { ...(isSubtractable ? nearestDays(intervals) : innerDays(intervals)), intervals };
}

function clip(buckets: readonly Bucket[], bounds: Intervals): BucketInterval[] {
  return buckets.flatMap(({ from, to, start }) =>
    intersection([{ from, to }], bounds).map((interval) => ({ ...interval, bucket: start })),
  );
}

/** Uses the days within each interval; the rows outside them are added. */
function innerDays(intervals: readonly BucketInterval[]): DaySplit {
  const wholeDays: BucketInterval[] = [];
  const edges: Edge[] = [];
  for (const { from, to, bucket } of intervals) {
    const [start, end] = [Math.ceil(from / dayMs) * dayMs, Math.floor(to / dayMs) * dayMs];
    if (start >= end) {
      edges.push({ from, to, addTo: bucket });
      continue;
    }
    wholeDays.push({ from: start, to: end, bucket });
    if (from < start) edges.push({ from, to: start, addTo: bucket });
    if (end < to) edges.push({ from: end, to, addTo: bucket });
  }
  return { wholeDays, edges };
}

/** Moves each bound to the nearest midnight; the rows in between are added and subtracted. */
function nearestDays(intervals: readonly BucketInterval[]): DaySplit {
  const nearest = (at: number) => Math.round(at / dayMs) * dayMs;
  const wholeDays = intervals
    .map(({ from, to, bucket }) => ({ from: nearest(from), to: nearest(to), bucket }))
    .filter(({ from, to }) => from < to);
  const edges = new Map<string, Edge>();
  const addEdge = (from: number, to: number, side: Partial<Edge>) => {
    const key = `${from} ${to}`;
    if (from < to) edges.set(key, { from, to, ...edges.get(key), ...side });
  };
  for (const { from, to, bucket } of intervals) {
    addEdge(from, nearest(from), { addTo: bucket });
    addEdge(nearest(from), from, { subtractFrom: bucket });
    addEdge(nearest(to), to, { addTo: bucket });
    addEdge(to, nearest(to), { subtractFrom: bucket });
  }
  return { wholeDays, edges: [...edges.values()] };
}

// Deep pages of a list that is ordered by time. The rollup's daily counts locate the day on which a page begins, so
// that the rows of earlier days are not skipped individually.

export interface DayCount {
  /** UTC midnight. */
  readonly day: number;
  readonly rows: number;
}

interface TimeOrder {
  readonly column: Column;
  readonly isDescending: boolean;
}

/** Returns the list's order, if it is by time. */
export function timeOrder({ source, isGrouped, order: [first] }: Plan): TimeOrder | undefined {
  if (isGrouped || first === undefined || !("column" in first) || !isOnTimeline(source, first.column)) return undefined;
  return first;
}

/** Plans a report of the list's rows by day, in the list's order. */
export function dayCounts(plan: Plan, { column, isDescending }: TimeOrder): Plan {
  const grouping = { column, trunc: "day" as const };
  return {
    ...plan,
    zone: "UTC",
    isGrouped: true,
    groupings: [grouping],
    measures: [{ id: "count", type: "count" }],
    order: [{ grouping, isDescending }],
    skip: 0,
    limit: Number.MAX_SAFE_INTEGER,
  };
}

/** Returns a plan of the same page that starts at the day on which the page begins. */
export function fromDay(plan: Plan, counts: readonly DayCount[], isDescending: boolean): Plan {
  let skip = plan.skip;
  for (const { day, rows } of counts) {
    if (skip < rows) {
      const [from, to] = isDescending ? [Number.NEGATIVE_INFINITY, day + dayMs] : [day, Number.POSITIVE_INFINITY];
      return { ...within(plan, [{ from, to }]), skip };
    }
    skip -= rows;
  }
  return plan;
}

/** Limits the plan to these moments. */
function within(plan: Plan, intervals: Intervals): Plan {
  const { columns, timeline } = plan.source;
  const column = columns.find(({ id }) => id === timeline[0]);
  if (column === undefined) throw new Error("a timeline consists of columns");
  return { ...plan, filters: [...plan.filters, { kind: "date", column, at: -1, intervals, matchesNull: false }] };
}
