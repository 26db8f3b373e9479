// A validated query with every default filled in: its names are columns of the source, and none of the request's text is left.

import type { Column, Source } from "../sources/index.ts";
import type { DateTrunc, Intervals } from "./dates.ts";

export interface Grouping {
  readonly column: Column;
  /** Of a date column. */
  readonly trunc?: DateTrunc;
}

export const measureTypes = ["count", "avg", "sum", "min", "max", "interval"] as const;
export type MeasureType = (typeof measureTypes)[number];

export interface Measure {
  /** The column of the results: `count`, `avg_score`. */
  readonly id: string;
  readonly type: MeasureType;
  /** A count has none. */
  readonly column?: Column;
}

export type Comparison = "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "between";

/** Null matches `neq` and nothing else. `at` is its position in the query; that of merged ones is the last one's. */
export type Filter = { readonly column: Column; readonly at: number } & (
  | { readonly kind: "string"; readonly isNegated: boolean; readonly values: readonly string[] }
  | { readonly kind: "boolean"; readonly isNegated: boolean; readonly value: boolean }
  | { readonly kind: "number"; readonly operator: Comparison; readonly values: readonly number[] }
  | { readonly kind: "date"; readonly intervals: Intervals; readonly matchesNull: boolean }
);
export type DateFilter = Extract<Filter, { kind: "date" }>;

/** An ORDER BY term: of rows a column, of groups a grouping or a measure. Nulls come last in either direction. */
export type Term = { readonly column: Column } | { readonly grouping: Grouping } | { readonly measure: Measure };
export type Order = Term & { readonly isDescending: boolean };

/** What the results consist of. */
export interface Shape {
  readonly source: Source;
  /** Without groupings all rows are one group. */
  readonly isGrouped: boolean;
  readonly groupings: readonly Grouping[];
  readonly measures: readonly Measure[];
}

export interface Plan extends Shape {
  readonly zone: string;
  readonly includeArchived: boolean;
  /** Joined by AND; at most one for each date column. */
  readonly filters: readonly Filter[];
  /** Total: no two results are equal in it. */
  readonly order: readonly Order[];
  readonly skip: number;
  readonly limit: number;
}
