// Selects the days that a rollup answers, and the rows to read in addition. The bounds of a bucket need not be UTC
// midnights. So the rows between a bound and its nearest midnight ("edge") are added to one bucket and subtracted from
// the other.

import { type Column, isOnTimeline, type Source } from "../sources/index.ts";
import { allTime, type Bucket, type Interval, type Intervals, intersection } from "./dates.ts";
import { isPercentile } from "./histogram.ts";
import type { Filter, Measure, Plan } from "./plan.ts";

/** An interval that belongs to a bucket; `bucket` is null if the report has no buckets. */
export interface BucketInterval extends Interval {
  readonly bucket: number | null;
}

/** An interval whose rows are added to one bucket, subtracted from another, or both. */
export interface Edge extends Interval {
  readonly addTo?: number | null;
  readonly subtractFrom?: number | null;
}

export interface DaySplit {
  /** Whole UTC days, which the rollup answers. */
  readonly wholeDays: readonly BucketInterval[];
  /** Parts of days, for which rows are read. */
  readonly edges: readonly Edge[];
}

const dayMs = 86_400_000;

/**
 * Reading a row of an edge costs three times as much as in a full scan, which runs in parallel. If edges exceed this
 * share of the time, a scan is used.
 */
const edgesShareMax = 0.3;

/** Returns true if the source's rollup is grouped by the column. */
export function isRollupDimension({ rollup }: Source, { id }: Column): boolean {
  return rollup !== undefined && id in rollup.dimensions;
}

/** Returns true if the source's rollup contains what the measure of a column needs. */
export function isInRollup({ rollup }: Source, { type, column }: Measure): boolean {
  if (rollup === undefined || column === undefined) return false;
  if (isPercentile(type)) return column.id in (rollup.histograms ?? {});
  if ((type === "min" || type === "max") && rollup.withoutExtremes?.includes(column.id)) return false;
  // Rollups contain no sums of squares.
  return column.id in rollup.sums && (type !== "interval" || column.type === "boolean");
}

/** Returns true if the rollup has the plan's columns, no matter where its buckets begin. */
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
    measures.every(
      (measure) => measure.column === undefined || (isInRollup(source, measure) && otherFilters.length === 0),
    ) &&
    otherFilters.length <= 1 &&
    otherFilters.every((filter) => isCountFilter(source, filter))
  );
}

/**
 * Returns true if the filter is on a boolean with sums. The rollup can count the rows that match it, but cannot compute
 * other measures of them.
 */
function isCountFilter({ rollup }: Source, { kind, column }: Filter): boolean {
  return kind === "boolean" && rollup !== undefined && column.id in rollup.sums;
}

/** Builds the SQL for how many of a rollup row's rows match the filters on neither time nor dimensions. */
export function matchingRows({ source, filters }: Plan): string {
  const filter = filters.find((candidate) => isCountFilter(source, candidate));
  if (filter?.kind !== "boolean") return "r.rows";
  const prefix = `r.${source.rollup?.sums[filter.column.id]}`;
  const equal = filter.value ? `${prefix}_true` : `(${prefix}_rows - ${prefix}_true)`;
  return filter.isNegated ? `(r.rows - ${equal})` : equal;
}

/** Returns the time intervals that the plan's filters select. */
export function timeBounds({ source, filters }: Plan): Intervals {
  return filters.reduce<Intervals>((bounds, filter) => {
    const isTime = filter.kind === "date" && isOnTimeline(source, filter.column);
    return isTime ? intersection(bounds, filter.intervals) : bounds;
  }, allTime);
}

/**
 * Returns whole days and edges; undefined if a scan of the rows is cheaper. `buckets` are those of the plan's grouping
 * by time, if there is one.
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

/** Like `splitByDay`, but at any cost; also returns the intervals that were split. */
export function splitIntoDays(
  plan: Plan,
  bounds: Intervals,
  buckets: readonly Bucket[] | undefined,
): DaySplit & { readonly intervals: readonly Interval[] } {
  const intervals =
    buckets === undefined ? bounds.map((interval) => ({ ...interval, bucket: null })) : clip(buckets, bounds);
  // Minimums and maximums cannot be subtracted.
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

/** Takes the whole days inside each interval; the remaining rows are added. */
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

/** Moves each bound to the nearest midnight; the rows in between are added or subtracted. */
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

// Pages far down in a list sorted by time. The rollup's daily counts reveal the day on which such a page begins, so
// that the rows of earlier days need not be skipped one by one.

export interface DayCount {
  /** The day's midnight in UTC. */
  readonly day: number;
  readonly rows: number;
}

interface TimeOrder {
  readonly column: Column;
  readonly isDescending: boolean;
}

/** Returns the order of the list if it is sorted by time. */
export function timeOrder({ source, isGrouped, order: [first] }: Plan): TimeOrder | undefined {
  if (isGrouped || first === undefined || !("column" in first) || !isOnTimeline(source, first.column)) return undefined;
  return first;
}

/** Plans a report that counts the list's rows by day, in the order of the list. */
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

/** Returns a plan for the same page that starts at the day on which the page begins. */
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

/** Limits a plan to the given times. */
function within(plan: Plan, intervals: Intervals): Plan {
  const { columns, timeline } = plan.source;
  const column = columns.find(({ id }) => id === timeline[0]);
  if (column === undefined) throw new Error("a timeline consists of columns");
  return { ...plan, filters: [...plan.filters, { kind: "date", column, at: -1, intervals, matchesNull: false }] };
}
