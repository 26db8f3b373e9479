// What of a service is archived, as the service declares it.

import type { EntitySchema } from "typeorm";
import { tableOf } from "../db/columns.ts";
import type { ArchiveKind } from "./types.ts";

export interface ArchivedKind {
  readonly kind: ArchiveKind;
  /** The table, with its schema, whose `created_at` says in which batch a row and its parts are. It has `application_id`. */
  readonly root: string;
  /** Which of its rows `r` are not over yet, or were changed since `$4`: PostgreSQL's condition. */
  readonly busy: string;
  /** PostgreSQL's SELECT of ids of rows of application `$1` that were dropped, and that it has again: readers of the archive skip them. */
  readonly returned?: string;
  readonly tables: readonly ArchivedTable[];
}

export interface ArchivedTable {
  readonly entity: EntitySchema;
  /** Columns that the entity's table has not: in ClickHouse's type, and PostgreSQL's expression of `r` as text of TabSeparated. */
  readonly derived?: Readonly<Record<string, { readonly type: string; readonly sql: string }>>;
  /** PostgreSQL's FROM and WHERE for the rows `r` of application `$1` in the interval from `$2` until before `$3`. */
  readonly rows?: string;
  /** The order of rows of one application and one `created_at`. */
  readonly order: readonly string[];
  /** Columns by which rows are looked up without their time; lists by their members. */
  readonly lookups: readonly string[];
  /** How many rows are read for the sake of one: fewer than ClickHouse's 8,192 where rows are wide. */
  readonly granularity?: number;
}

export function rowsOf({ entity, rows }: ArchivedTable): string {
  return rows ?? `${tableOf(entity)} r WHERE r.application_id = $1 AND r.created_at >= $2 AND r.created_at < $3`;
}
