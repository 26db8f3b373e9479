export type { PlannedColumn } from "./plan.ts";
export { type ReadOptions, type ReadRows, readRows } from "./read-rows.ts";
export { type Evaluator, type ImportRow, isObject, occurrenceColumn, type Waiting } from "./record.ts";
export type { ShapeName } from "./shapes.ts";
