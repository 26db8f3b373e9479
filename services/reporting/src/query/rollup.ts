// Reports from sums by UTC day: which stretches of time are whole days, and what has to be read row by row beside them.
// The sums of whole days are moved to the buckets' true edges by adding and taking away the rows in between.

import type { Source } from "../sources/source.ts";
import { isOnTimeline } from "./conditions.ts";
import type { Tile } from "./dates.ts";
import type { Plan } from "./plan.ts";
import type { Filter } from "./plan-filters.ts";
import { always, intersection, type Range, type Ranges } from "./ranges.ts";

/** Whole UTC days whose sums go to a bucket; without buckets all go to one. */
export interface Days extends Range {
  readonly bucket: number | null;
}

/** A stretch that is read row by row: its rows are added to a bucket, taken away from one, or both. */
export interface Edge extends Range {
  readonly plus?: number | null;
  readonly minus?: number | null;
}

export interface Cut {
  readonly days: readonly Days[];
  readonly edges: readonly Edge[];
}

const dayMs = 86_400_000;

/**
 * More than this part of the time read row by row, and reading all of it costs less: a row at an edge is found by the
 * index, and costs three times what one of all rows does, which several workers go through.
 */
const edgesShareMax = 0.3;

/** Whether the source's sums know what the plan asks for, wherever its buckets lie. */
export function isSummed({ source, includeArchived, filters, groups, measures, isGrouped }: Plan): boolean {
  const { rollup } = source;
  if (rollup === undefined || !includeArchived || !isGrouped) return false;
  const onTimeline = groups.filter(({ column }) => isOnTimeline(source, column));
  const others = filters.filter(({ column }) => !isOnTimeline(source, column) && !(column.id in rollup.dimensions));
  return (
    onTimeline.length <= 1 &&
    groups.every(({ column }) => isOnTimeline(source, column) || column.id in rollup.dimensions) &&
    measures.every(({ column }) => column === undefined || (column.id in rollup.sums && others.length === 0)) &&
    others.length <= 1 &&
    others.every((filter) => isCounted(source, filter))
  );
}

/** Sums know how many of a boolean's values are true. So what a filter on it lets pass can be counted, but not measured. */
function isCounted({ rollup }: Source, { kind, column }: Filter): boolean {
  return kind === "boolean" && rollup !== undefined && column.id in rollup.sums;
}

/** SQL for how many rows of a row of sums the plan's filters let pass, those on time and dimensions apart. */
export function rowsOfSum({ source, filters }: Plan): string {
  const filter = filters.find((one) => isCounted(source, one));
  if (filter?.kind !== "boolean") return "r.rows";
  const prefix = `r.${source.rollup?.sums[filter.column.id]}`;
  const equal = filter.value ? `${prefix}_true` : `(${prefix}_rows - ${prefix}_true)`;
  return filter.isNegated ? `(r.rows - ${equal})` : equal;
}

/** When rows were laid down that the plan's filters let pass. */
export function timeOf({ source, filters }: Plan): Ranges {
  return filters.reduce<Ranges>((ranges, filter) => {
    const isTime = filter.kind === "date" && isOnTimeline(source, filter.column);
    return isTime ? intersection(ranges, filter.ranges) : ranges;
  }, always);
}

/**
 * How to answer from sums; undefined where reading all rows costs less. `tiles` are of the plan's date column, if it
 * groups by one.
 */
export function cut(plan: Plan, time: Ranges, tiles: readonly Tile[] | undefined): Cut | undefined {
  const stretches = tiles === undefined ? time.map((range) => ({ ...range, bucket: null })) : tilesWithin(tiles, time);
  // The least and greatest of what is left cannot be told from the least and greatest of all.
  const isSubtractable = plan.measures.every(({ type, column }) => {
    return column?.type === "boolean" || (type !== "min" && type !== "max");
  });
  const made = isSubtractable ? nearestDays(stretches) : wholeDays(stretches);
  const length = (ranges: readonly Range[]) => ranges.reduce((sum, { from, to }) => sum + (to - from), 0);
  return length(made.edges) <= edgesShareMax * length(stretches) ? made : undefined;
}

function tilesWithin(tiles: readonly Tile[], time: Ranges): Days[] {
  return tiles.flatMap(({ from, to, bucket }) =>
    intersection([{ from, to }], time).map((range) => ({ ...range, bucket })),
  );
}

/** Whole days within each stretch; the rest of it is read. */
function wholeDays(stretches: readonly Days[]): Cut {
  const days: Days[] = [];
  const edges: Edge[] = [];
  for (const { from, to, bucket } of stretches) {
    const [start, end] = [Math.ceil(from / dayMs) * dayMs, Math.floor(to / dayMs) * dayMs];
    if (start >= end) {
      edges.push({ from, to, plus: bucket });
      continue;
    }
    days.push({ from: start, to: end, bucket });
    if (from < start) edges.push({ from, to: start, plus: bucket });
    if (end < to) edges.push({ from: end, to, plus: bucket });
  }
  return { days, edges };
}

/** Each edge of a stretch is taken to the nearest midnight, and what lies between is put right. */
function nearestDays(stretches: readonly Days[]): Cut {
  const nearest = (at: number) => Math.round(at / dayMs) * dayMs;
  const days = stretches
    .map(({ from, to, bucket }) => ({ from: nearest(from), to: nearest(to), bucket }))
    .filter(({ from, to }) => from < to);
  const edges = new Map<string, Edge>();
  const put = (from: number, to: number, side: Partial<Edge>) => {
    const key = `${from} ${to}`;
    if (from < to) edges.set(key, { from, to, ...edges.get(key), ...side });
  };
  for (const { from, to, bucket } of stretches) {
    put(from, nearest(from), { plus: bucket });
    put(nearest(from), from, { minus: bucket });
    put(nearest(to), to, { plus: bucket });
    put(to, nearest(to), { minus: bucket });
  }
  return { days, edges: [...edges.values()] };
}
