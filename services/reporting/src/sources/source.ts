// A datasource: a view that the rows' owner publishes, and its columns.

export type ColumnType = "string" | "number" | "boolean" | "date";

/** How a column's values are stored. */
export type Storage =
  | { readonly kind: "uuid" | "text" | "boolean" | "moment" | "double" }
  /** Whole numbers, in units of 10^-`scale`. */
  | { readonly kind: "scaled"; readonly scale: number };

/** What a column of ids refers to; `{id, name}` in results. */
export type ReferenceName = "topic" | "task" | "definition";

export interface Column {
  readonly id: string;
  /** Shown to people. */
  readonly name: string;
  readonly type: ColumnType;
  readonly storage: Storage;
  /** Over the source's view, `s`. */
  readonly sql: string;
  readonly isNullable: boolean;
  readonly reference?: ReferenceName;
  /** All its values, when it is an enum. */
  readonly values?: readonly string[];
}

/** Aggregates of a source's rows by UTC day and dimensions. */
export interface Rollup {
  /** As `r`: `day` is the UTC day by the source's timeline, `rows` a count. */
  readonly view: string;
  /** The columns that it is grouped by, with SQL over the view. */
  readonly dimensions: Readonly<Record<string, string>>;
  /** The aggregated columns, with their prefix: `score` has score_rows, score_sum, score_min and score_max. */
  readonly sums: Readonly<Record<string, string>>;
}

/** What the source's view shows, in ClickHouse. */
export interface ArchiveSource {
  readonly table: string;
  /** After FROM, as `s`. */
  readonly from: string;
  /** The columns of what may be archived in the product's sense, with its view: `notArchived` of ids. */
  readonly ids: Readonly<Record<string, string>>;
}

export interface Source {
  readonly id: string;
  /** After FROM, with the view as `s`. */
  readonly from: string;
  /** In the order of results. */
  readonly columns: readonly Column[];
  /** SQL that excludes what is archived, or belongs to what is. */
  readonly notArchived: string;
  /** Of rows that ClickHouse may have. */
  readonly archive?: ArchiveSource;
  /** Columns that equal `created_at`, the order of the rows in storage. */
  readonly timeline: readonly string[];
  readonly rollup?: Rollup;
  /** The column of the definitions whose judges made the rows. */
  readonly judgedBy?: Column;
}

type Overrides = Partial<Pick<Column, "sql" | "isNullable" | "values">>;

const column =
  (type: ColumnType, storage: Storage) =>
  (id: string, name: string, overrides: Overrides = {}): Column => ({
    id,
    name,
    type,
    storage,
    sql: `s.${id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
    isNullable: false,
    ...overrides,
  });

export const text = column("string", { kind: "text" });
export const id = column("string", { kind: "uuid" });
export const boolean = column("boolean", { kind: "boolean" });
export const date = column("date", { kind: "moment" });
export const double = column("number", { kind: "double" });
export const integer = column("number", { kind: "scaled", scale: 0 });
/** Stored in millionths: sums are exact. */
export const micro = column("number", { kind: "scaled", scale: 6 });

/** A column of ids whose names results show. */
export function reference(name: ReferenceName, label: string, overrides: Overrides = {}): Column {
  return { ...id(`${name}Id`, label, overrides), reference: name };
}

/** The first columns of every source; `noun` names a row. */
export const identified = (noun: string): Column[] => [
  id("id", `${noun} ID`),
  text("orgId", "Organization ID"),
  id("applicationId", "Application ID"),
];

export const created = date("createdAt", "Created Date");
export const modified = date("modifiedAt", "Modified Date");
