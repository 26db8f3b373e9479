// Pages far down a list that is in the order of time: the sums by day tell on which day a page begins, so that the rows
// of all days before it need not be passed over one by one.

import type { Column, Source } from "../sources/source.ts";
import { isOnTimeline } from "./conditions.ts";
import type { Plan } from "./plan.ts";

/** How many rows of the list lie on a UTC day. */
export interface DayCount {
  /** Its midnight. */
  readonly day: number;
  readonly rows: number;
}

const dayMs = 86_400_000;

/** The column of time that the list is in the order of, if it is. */
export function timeOrder({
  source,
  isGrouped,
  order: [first],
}: Plan): { column: Column; isDescending: boolean } | undefined {
  if (isGrouped || first === undefined || !("column" in first) || !isOnTimeline(source, first.column)) return undefined;
  return first;
}

/** The list's rows for each day, as a report of its own, in the list's order. */
export function dayCounts(plan: Plan, { column, isDescending }: { column: Column; isDescending: boolean }): Plan {
  const group = { column, trunc: "day" as const };
  return {
    ...plan,
    zone: "UTC",
    isGrouped: true,
    groups: [group],
    measures: [{ id: "count", type: "count" }],
    order: [{ group, isDescending }],
    skip: 0,
    limit: Number.MAX_SAFE_INTEGER,
  };
}

/** The same page of the list without the days before the one that it begins on. */
export function fromDay(plan: Plan, counts: readonly DayCount[], isDescending: boolean): Plan {
  let left = plan.skip;
  for (const { day, rows } of counts) {
    if (left < rows) return { ...plan, skip: left, filters: [...plan.filters, onward(plan.source, day, isDescending)] };
    left -= rows;
  }
  return plan;
}

function onward({ columns, timeline: [id] }: Source, day: number, isDescending: boolean): Plan["filters"][number] {
  const column = columns.find((one) => one.id === id);
  if (column === undefined) throw new Error("a timeline is made of columns");
  const range = isDescending
    ? { from: Number.NEGATIVE_INFINITY, to: day + dayMs }
    : { from: day, to: Number.POSITIVE_INFINITY };
  return { kind: "date", column, ranges: [range], passesNull: false };
}
