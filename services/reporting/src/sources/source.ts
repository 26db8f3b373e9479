// A datasource: a view, published by the service that owns the rows, with its columns.

export type ColumnType = "string" | "number" | "boolean" | "date";

/** Type in which the values of a column are stored. */
export type Storage =
  | { readonly kind: "uuid" | "text" | "boolean" | "moment" | "double" }
  /** Whole numbers in units of 10^-`scale`. */
  | { readonly kind: "scaled"; readonly scale: number };

/** Kind of resource that a column of ids refers to; results contain `{id, name}`. */
export type ReferenceName = "topic" | "task" | "definition";

export interface Column {
  readonly id: string;
  /** Name for display. */
  readonly name: string;
  readonly type: ColumnType;
  readonly storage: Storage;
  /** SQL for the column's value, from the source's view `s`. */
  readonly sql: string;
  readonly isNullable: boolean;
  readonly reference?: ReferenceName;
  /** All possible values, if the column is an enumeration. */
  readonly values?: readonly string[];
}

/** A filter by ids of which a row can have several, so that results have no such column. */
export interface MembershipFilter extends Column {
  readonly membership: { readonly kind: "list" } | ViewMembership;
}

/** A filter of the results from which a row's measures are computed; it excludes no rows. */
export interface ResultFilter extends Column {
  readonly values: readonly string[];
  /** Returns the source's `from` with measures of the results that have one of the values. */
  readonly select: (values: readonly string[]) => string;
}

/** A view that maps the ids of a filter, in its column `by`, to values of a column of the source, in its column `id`. */
export interface ViewMembership {
  readonly kind: "view";
  readonly column: string;
  readonly view: string;
  readonly id: string;
  readonly by: string;
}

/** Aggregates of a source's rows by UTC day and dimensions. */
export interface Rollup {
  /** View for FROM, as `r`. `day` is the UTC day of the source's timeline, `rows` the number of rows. */
  readonly view: string;
  /** Columns by which the rollup is grouped, with their SQL. */
  readonly dimensions: Readonly<Record<string, string>>;
  /** Aggregated columns with their prefix: for `score`, these are score_rows, score_sum, score_min and score_max. */
  readonly sums: Readonly<Record<string, string>>;
  /** Columns without minimum and maximum. */
  readonly withoutExtremes?: readonly string[];
  /**
   * Views, as `r`, of the histograms (kit) of columns. They are grouped by day, dimensions and `bucket`, and have the
   * number of values as `hits`.
   */
  readonly histograms?: Readonly<Record<string, string>>;
  /** SQL of the start of the rows' retention, if earlier days keep their sums. */
  readonly keptSince?: string;
  /** View with the time from which the sums are complete, as `starts`, for applications whose earlier rows have none. */
  readonly start?: string;
}

/** The archived counterpart of a source's view, in ClickHouse. */
export interface ArchiveSource {
  /** View of PostgreSQL with the archived batches, and their kind. */
  readonly batches: string;
  readonly kind: "results" | "traces";
  /** The tables that `from` reads. */
  readonly tables: readonly string[];
  /** SQL after FROM, with the rows as `s`. */
  readonly from: string;
  /** Columns with ids of tasks and topics, which users can archive, each with its view; used by `notArchived`. */
  readonly ids: Readonly<Record<string, string>>;
}

export interface Source {
  readonly id: string;
  /** SQL after FROM, with the view as `s`. */
  readonly from: string;
  /** Columns, in the order of the results. */
  readonly columns: readonly Column[];
  /** Filters in addition to those by columns. */
  readonly memberships?: readonly MembershipFilter[];
  /** Columns that identify a row together with its id, if ids are not unique. */
  readonly key?: readonly string[];
  /** Without this filter, the source's `from` selects the default results. */
  readonly results?: ResultFilter;
  /** SQL that excludes archived tasks and topics, and rows that refer to them. */
  readonly notArchived: string;
  /** Set if rows may be archived in ClickHouse. */
  readonly archive?: ArchiveSource;
  /** Columns that are equal to `created_at`, by which rows are stored. */
  readonly timeline: readonly string[];
  readonly rollup?: Rollup;
  /** Column with the definitions by which judges created the rows. */
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
/** A column of numbers that are stored in millionths, so that sums are exact. */
export const micro = column("number", { kind: "scaled", scale: 6 });

/** A column of ids; results include their names. */
export function reference(name: ReferenceName, label: string, overrides: Overrides = {}): Column {
  return { ...id(`${name}Id`, label, overrides), reference: name };
}

/** A filter by ids in a list of the row. */
export const listFilter = (columnId: string, label: string, sql: string): MembershipFilter => ({
  ...id(columnId, label, { sql }),
  membership: { kind: "list" },
});

/** A filter by tags of the row's task. */
export const taskTagFilter: MembershipFilter = {
  ...id("tagId", "Tag of the Task"),
  membership: { kind: "view", column: "taskId", view: "reporting.task_tag_v1", id: "task_id", by: "tag_id" },
};

/** The first columns of every source; `noun` is the word for a row. */
export const identified = (noun: string): Column[] => [
  id("id", `${noun} ID`),
  text("orgId", "Organization ID"),
  id("applicationId", "Application ID"),
];

export const created = date("createdAt", "Created Date");
export const modified = date("modifiedAt", "Modified Date");
