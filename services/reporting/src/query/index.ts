// Reports as pure functions: a query becomes a plan, a plan becomes SQL, and rows become results.

export { type ArchivedRow, compileGroups, compileRows } from "./compile.ts";
export {
  archivedGroups,
  compileArchivedBounds,
  compileArchivedGroups,
  compileArchivedRows,
  compileCandidates,
  type Reach,
} from "./compile-archive.ts";
export {
  compileBounds,
  compileExcluded,
  compileMembers,
  compileNames,
  compilePast,
  compileStart,
} from "./compile-lookups.ts";
export { compileRollupGroups } from "./compile-rollup.ts";
export {
  allTime,
  type Bucket,
  buckets,
  type DateTrunc,
  dateTruncs,
  daysWhere,
  type Interval,
  type Intervals,
  intersection,
  readDay,
} from "./dates.ts";
export { needOfDayParts, needOfRows, type Past, pastFault, reachesPast } from "./past.ts";
export type { Filter, Grouping, Measure, Plan, Shape } from "./plan.ts";
export { operatorsByType } from "./plan-filters.ts";
export { isOrdered, listMeasureTypes, listTerms, planQuery, planShape } from "./plan-query.ts";
export {
  measureColumn,
  present,
  type ReferenceNames,
  type ResultRow,
  referencedIds,
  resultColumns,
  visualize,
} from "./present.ts";
export {
  type DaySplit,
  dayCounts,
  fromDay,
  isRollupSufficient,
  splitByDay,
  splitIntoDays,
  timeBounds,
  timeOrder,
} from "./rollup.ts";
