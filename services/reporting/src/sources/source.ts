// A datasource: a view that the rows' owner publishes, and its columns.

export type ColumnType = "string" | "number" | "boolean" | "date";

/** Storage of a column's values. */
export type Storage =
  | { readonly kind: "uuid" | "text" | "boolean" | "moment" | "double" }
  /** Whole numbers, in units of 10^-`scale`. */
  | { readonly kind: "scaled"; readonly scale: number };

/** Target of a column of ids; results have `{id, name}`. */
export type ReferenceName = "topic" | "task" | "definition";

export interface Column {
  readonly id: string;
  /** Display name. */
  readonly name: string;
  readonly type: ColumnType;
  readonly storage: Storage;
  /** SQL over the source's view, `s`. */
  readonly sql: string;
  readonly isNullable: boolean;
  readonly reference?: ReferenceName;
  /** All values of an enum. */
  readonly values?: readonly string[];
}

/** Aggregates of a source's rows by UTC day and dimensions. */
export interface Rollup {
  /** View in FROM, as `r`: `day` is the UTC day by the source's timeline, `rows` a count. */
  readonly view: string;
  /** Columns of the grouping, with SQL over the view. */
  readonly dimensions: Readonly<Record<string, string>>;
  /** Aggregated columns, with their prefix: `score` has score_rows, score_sum, score_min and score_max. */
  readonly sums: Readonly<Record<string, string>>;
}

/** The archived counterpart of the source's view, in ClickHouse. */
export interface ArchiveSource {
  readonly table: string;
  /** Text after FROM, with the table as `s`. */
  readonly from: string;
  /** Columns with ids of tasks and topics that users may archive, each with its view; used by `notArchived`. */
  readonly ids: Readonly<Record<string, string>>;
}

export interface Source {
  readonly id: string;
  /** Text after FROM, with the view as `s`. */
  readonly from: string;
  /** In the order of results. */
  readonly columns: readonly Column[];
  /** SQL that excludes archived tasks and topics, and their rows. */
  readonly notArchived: string;
  /** Present if rows may be in ClickHouse. */
  readonly archive?: ArchiveSource;
  /** Columns that equal `created_at`, the storage order of rows. */
  readonly timeline: readonly string[];
  readonly rollup?: Rollup;
  /** Column of the definitions whose judges created the rows. */
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
/** A number stored in millionths, so that sums are exact. */
export const micro = column("number", { kind: "scaled", scale: 6 });

/** A column of ids; results include their names. */
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
