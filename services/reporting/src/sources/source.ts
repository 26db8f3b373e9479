// What a datasource is: a view that the owner of the rows publishes, and the columns that people ask for.

export type ColumnType = "string" | "number" | "boolean" | "date";

/** How a column's values are stored, as far as a query has to know. */
export type Storage =
  | { readonly kind: "uuid" | "text" | "boolean" | "moment" | "double" }
  /** Whole numbers that stand for decimals: 10^`scale` of them are one. */
  | { readonly kind: "scaled"; readonly scale: number };

/** Things that columns refer to; `{id, name}` in results. */
export type ReferenceName = "topic" | "task" | "definition";

export interface Column {
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  readonly type: ColumnType;
  readonly storage: Storage;
  /** Of the source's view, `s`. */
  readonly sql: string;
  /** Whether a row may be without a value. */
  readonly isNullable: boolean;
  readonly reference?: ReferenceName;
  /** The values it can have, where they are a fixed set. */
  readonly values?: readonly string[];
}

/** Sums over the rows of a source, one row for each UTC day and each combination of its dimensions. */
export interface Rollup {
  /** A view, as `r`; its column `day` is the UTC day of the source's timeline, `rows` the number of rows. */
  readonly view: string;
  /** Columns by which sums are kept apart, to SQL of the view. */
  readonly dimensions: Readonly<Record<string, string>>;
  /** Columns that are summed, to the prefix of their sums: `score` has score_rows, score_sum, score_min and score_max. */
  readonly sums: Readonly<Record<string, string>>;
}

export interface Source {
  readonly id: string;
  /** What to read, with the view as `s`. */
  readonly from: string;
  /** In the order in which results have them. */
  readonly columns: readonly Column[];
  /** SQL that keeps archived things, and what hangs on them, out. */
  readonly notArchived: string;
  /** Columns that are the moment by which rows are laid down: read in its order, they cost least. */
  readonly timeline: readonly string[];
  readonly rollup?: Rollup;
}
