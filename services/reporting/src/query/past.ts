// Days whose rows are past their retention. Only sums of whole UTC days are left, which can answer some reports.

import type { FieldViolation } from "@ems/kit/errors";
import { isOnTimeline } from "../sources/index.ts";
import { type Interval, intersection } from "./dates.ts";
import type { Path } from "./lookup.ts";
import type { Plan } from "./plan.ts";
import { type DaySplit, isInRollup, isRollupDimension, timeBounds } from "./rollup.ts";

/** Interval from the first day with sums to the first day with rows; both are UTC midnights. */
export type Past = Interval;

/** Returns true if the plan includes days without rows. */
export function reachesPast(plan: Plan, past: Past | undefined): past is Past {
  return past !== undefined && intersection(timeBounds(plan), [past]).length > 0;
}

/** Returns the path of the part of the query that sums of days cannot answer. */
export function needOfRows(plan: Plan): Path {
  const { source, isGrouped, includeArchived, groupings, measures, filters } = plan;
  const [onTimeline, ...rest] = groupings.filter(({ column }) => isOnTimeline(source, column));
  const [other] = rest;
  const grouping = groupings.findIndex(
    (grouping) => !(grouping === onTimeline || isRollupDimension(source, grouping.column)) || grouping === other,
  );
  const measure = measures.findIndex((each) => each.column !== undefined && !isInRollup(source, each));
  const filter = filters.find(({ column }) => !isOnTimeline(source, column) && !isRollupDimension(source, column));
  if (!isGrouped) return ["measurements"];
  if (!includeArchived) return ["include_archived"];
  if (grouping >= 0) return ["group_by", grouping, "column"];
  if (measure >= 0) return ["measurements", measure, "column"];
  return filter === undefined ? ["measurements"] : ["filters", filter.at, "column"];
}

/**
 * Returns the path of the grouping or filter that begins or ends within a day without rows; undefined if there is none.
 */
export function needOfDayParts(plan: Plan, { edges }: DaySplit, past: Past): Path | undefined {
  if (intersection(edges, [past]).length === 0) return undefined;
  const hourly = plan.groupings.findIndex(({ trunc }) => trunc === "hour");
  if (hourly >= 0) return ["group_by", hourly, "date_trunc"];
  const filter = plan.filters.find(({ column }) => isOnTimeline(plan.source, column));
  return plan.zone === "UTC" && filter !== undefined ? ["filters", filter.at, "value"] : ["timezone"];
}

/** Explains why the report is refused. */
export function pastFault(path: Path, { to }: Past): FieldViolation {
  const since = new Date(to).toISOString().slice(0, 10);
  const isOfParts = path[0] === "timezone" || path.at(-1) === "date_trunc" || path.at(-1) === "value";
  const why = isOfParts
    ? "before it there are only sums of whole UTC days"
    : "before it there are only sums of days, which do not include this";
  return {
    path,
    message: `Rows exist from ${since} on, ${why}: filter createdAt from that day on, or remove this part of the query`,
  };
}
