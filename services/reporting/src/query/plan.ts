// A validated query with all defaults filled in. Its names are columns of the source; it contains no text from the
// request.

import type { Column, MembershipFilter, Source } from "../sources/index.ts";
import type { DateTrunc, Intervals } from "./dates.ts";

export interface Grouping {
  readonly column: Column;
  /** Set for a date column. */
  readonly trunc?: DateTrunc;
}

export const measureTypes = ["count", "avg", "sum", "min", "max", "p50", "p90", "p95", "p99", "interval"] as const;
export type MeasureType = (typeof measureTypes)[number];

export interface Measure {
  /** Name of the result column, such as `count` or `avg_score`. */
  readonly id: string;
  readonly type: MeasureType;
  /** Measured column; undefined for a count. */
  readonly column?: Column;
}

export type Comparison = "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "between";

/**
 * A filter; null matches only `neq`. `at` is the filter's position in the query, or the last one of merged filters. `member`
 * is for rows with several values: one of them must be equal, or none if it is negated.
 */
export type Filter = { readonly column: Column; readonly at: number } & (
  | {
      readonly kind: "member";
      readonly column: MembershipFilter;
      readonly isNegated: boolean;
      readonly values: readonly string[];
    }
  | { readonly kind: "string"; readonly isNegated: boolean; readonly values: readonly string[] }
  | { readonly kind: "boolean"; readonly isNegated: boolean; readonly value: boolean }
  | { readonly kind: "number"; readonly operator: Comparison; readonly values: readonly number[] }
  | { readonly kind: "date"; readonly intervals: Intervals; readonly matchesNull: boolean }
);
export type DateFilter = Extract<Filter, { kind: "date" }>;

/** A sort term: a column of rows, or a grouping or measure of groups. Nulls are last in both directions. */
export type Term = { readonly column: Column } | { readonly grouping: Grouping } | { readonly measure: Measure };
export type Order = Term & { readonly isDescending: boolean };

/** Columns of the results. */
export interface Shape {
  readonly source: Source;
  /** True if the results are groups. Without groupings, all rows form one group. */
  readonly isGrouped: boolean;
  readonly groupings: readonly Grouping[];
  readonly measures: readonly Measure[];
}

export interface Plan extends Shape {
  readonly zone: string;
  readonly includeArchived: boolean;
  /** Filters that must all match; at most one per date column. */
  readonly filters: readonly Filter[];
  /** A total order, in which no two results are equal. */
  readonly order: readonly Order[];
  readonly skip: number;
  readonly limit: number;
}
