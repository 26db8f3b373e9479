// Reports as pure functions: a query becomes a plan, a plan SQL, and rows results.

export { visualize } from "./charts.ts";
export { compileGroups } from "./compile-groups.ts";
export { compileRollupGroups } from "./compile-rollup.ts";
export { compileBounds, compileNames, compileRows } from "./compile-rows.ts";
export { type Bucket, buckets, type DateTrunc, dateTruncs, daysWhere, readDay } from "./dates.ts";
export { dayCounts, fromDay, timeOrder } from "./deep-page.ts";
export { allTime, type Intervals, intersection } from "./intervals.ts";
export { type Grouping, measureTypes, type Plan, type Shape } from "./plan.ts";
export { operatorsOf } from "./plan-filters.ts";
export { isMeasurable } from "./plan-groups.ts";
export { termsOf } from "./plan-order.ts";
export { planQuery, planShape } from "./plan-query.ts";
export {
  measureColumn,
  present,
  type ReferenceNames,
  type ResultRow,
  referencedIds,
  resultColumns,
} from "./present.ts";
export { type DaySplit, isRollupSufficient, splitByDay, timeBounds } from "./rollup.ts";
