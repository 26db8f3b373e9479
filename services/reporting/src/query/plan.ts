// A validated query with all defaults filled in: its names are columns of the source, and no text of the request
// remains.

import type { Column, Source } from "../sources/index.ts";
import type { DateTrunc, Intervals } from "./dates.ts";

export interface Grouping {
  readonly column: Column;
  /** Present for a date column. */
  readonly trunc?: DateTrunc;
}

export const measureTypes = ["count", "avg", "sum", "min", "max", "interval"] as const;
export type MeasureType = (typeof measureTypes)[number];

export interface Measure {
  /** Column of the results, such as `count` or `avg_score`. */
  readonly id: string;
  readonly type: MeasureType;
  /** Absent for a count. */
  readonly column?: Column;
}

export type Comparison = "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "between";

/** Null matches only `neq`. `at` is the filter's position in the query; for merged filters, the last position. */
export type Filter = { readonly column: Column; readonly at: number } & (
  | { readonly kind: "string"; readonly isNegated: boolean; readonly values: readonly string[] }
  | { readonly kind: "boolean"; readonly isNegated: boolean; readonly value: boolean }
  | { readonly kind: "number"; readonly operator: Comparison; readonly values: readonly number[] }
  | { readonly kind: "date"; readonly intervals: Intervals; readonly matchesNull: boolean }
);
export type DateFilter = Extract<Filter, { kind: "date" }>;

/** An ORDER BY term: a column for rows, a grouping or a measure for groups. Nulls are last in both directions. */
export type Term = { readonly column: Column } | { readonly grouping: Grouping } | { readonly measure: Measure };
export type Order = Term & { readonly isDescending: boolean };

/** Columns of the results. */
export interface Shape {
  readonly source: Source;
  /** True if results are groups. Without groupings, all rows are one group. */
  readonly isGrouped: boolean;
  readonly groupings: readonly Grouping[];
  readonly measures: readonly Measure[];
}

export interface Plan extends Shape {
  readonly zone: string;
  readonly includeArchived: boolean;
  /** Joined by AND; at most one for each date column. */
  readonly filters: readonly Filter[];
  /** A total order: no two results are equal. */
  readonly order: readonly Order[];
  readonly skip: number;
  readonly limit: number;
}
