// Days whose rows are past their retention: sums of whole UTC days are left of them, which a report can be made of or not.

import type { FieldViolation } from "@ems/kit/errors";
import { isOnTimeline } from "../sources/index.ts";
import { type Interval, intersection } from "./dates.ts";
import type { Path } from "./lookup.ts";
import type { Plan } from "./plan.ts";
import { type DaySplit, isRollupDimension, isRollupSum, timeBounds } from "./rollup.ts";

/** From the first day that has sums to the first one that has rows: both are midnights of UTC. */
export type Past = Interval;

/** Whether the plan is about any day without rows. */
export function reachesPast(plan: Plan, past: Past | undefined): past is Past {
  return past !== undefined && intersection(timeBounds(plan), [past]).length > 0;
}

/** Where a plan that sums of days cannot answer asks for more than they have. */
export function needOfRows(plan: Plan): Path {
  const { source, isGrouped, includeArchived, groupings, measures, filters } = plan;
  const [onTimeline, ...others] = groupings.filter(({ column }) => isOnTimeline(source, column));
  const [other] = others;
  const grouping = groupings.findIndex(
    (one) => !(one === onTimeline || isRollupDimension(source, one.column)) || one === other,
  );
  const measure = measures.findIndex(({ column, type }) => {
    if (column === undefined) return false;
    return !isRollupSum(source, column) || (type === "interval" && column.type !== "boolean");
  });
  const filter = filters.find(({ column }) => !isOnTimeline(source, column) && !isRollupDimension(source, column));
  if (!isGrouped) return ["measurements"];
  if (!includeArchived) return ["include_archived"];
  if (grouping >= 0) return ["group_by", grouping, "column"];
  if (measure >= 0) return ["measurements", measure, "column"];
  return filter === undefined ? ["measurements"] : ["filters", filter.at, "column"];
}

/** Where the plan begins or ends a bucket or a filter within a day of the past; undefined when it does not. */
export function needOfDayParts(plan: Plan, { edges }: DaySplit, past: Past): Path | undefined {
  if (intersection(edges, [past]).length === 0) return undefined;
  const hourly = plan.groupings.findIndex(({ trunc }) => trunc === "hour");
  if (hourly >= 0) return ["group_by", hourly, "date_trunc"];
  const filter = plan.filters.find(({ column }) => isOnTimeline(plan.source, column));
  return plan.zone === "UTC" && filter !== undefined ? ["filters", filter.at, "value"] : ["timezone"];
}

/** Why the report is refused. */
export function pastFault(path: Path, { to }: Past): FieldViolation {
  const since = new Date(to).toISOString().slice(0, 10);
  const isOfParts = path[0] === "timezone" || path.at(-1) === "date_trunc" || path.at(-1) === "value";
  const why = isOfParts
    ? "before it there are sums of whole UTC days alone"
    : "before it there are sums of days, which do not have this";
  return { path, message: `Rows are there from ${since} on, ${why}: filter createdAt from then on, or ask for less` };
}
