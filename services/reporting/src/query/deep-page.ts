// Deep pages of a list in the order of time: the rollup's counts by day locate the day on which a page begins, so that
// the rows of the days before it are not skipped one by one.

import { type Column, isOnTimeline, type Source } from "../sources/index.ts";
import type { DateFilter, Plan } from "./plan.ts";

export interface DayCount {
  /** UTC midnight. */
  readonly day: number;
  readonly rows: number;
}

const dayMs = 86_400_000;

interface TimeOrder {
  readonly column: Column;
  readonly isDescending: boolean;
}

/** The list's order, if it is by time. */
export function timeOrder({ source, isGrouped, order: [first] }: Plan): TimeOrder | undefined {
  if (isGrouped || first === undefined || !("column" in first) || !isOnTimeline(source, first.column)) return undefined;
  return first;
}

/** The list's rows by day, as a report in the list's order. */
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

/** The same page, of the list from the day on which the page begins. */
export function fromDay(plan: Plan, counts: readonly DayCount[], isDescending: boolean): Plan {
  let skip = plan.skip;
  for (const { day, rows } of counts) {
    if (skip < rows) return { ...plan, skip, filters: [...plan.filters, dayFilter(plan.source, day, isDescending)] };
    skip -= rows;
  }
  return plan;
}

function dayFilter({ columns, timeline: [id] }: Source, day: number, isDescending: boolean): DateFilter {
  const column = columns.find((one) => one.id === id);
  if (column === undefined) throw new Error("a timeline consists of columns");
  const interval = isDescending
    ? { from: Number.NEGATIVE_INFINITY, to: day + dayMs }
    : { from: day, to: Number.POSITIVE_INFINITY };
  return { kind: "date", column, intervals: [interval], matchesNull: false };
}
