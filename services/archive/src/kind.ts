// What of a service is archived, as the service declares it.

import { tableOf } from "@ems/kit/db/columns";
import type { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import type { EntitySchema } from "typeorm";
import type { Batch } from "./batches.ts";
import type { ArchiveKind } from "./types.ts";

/** The archive of a service. */
export interface ArchiveOptions {
  /** The service's schema, which has `archive_batch`. */
  readonly schema: string;
  readonly kinds: readonly ArchivedKind[];
  /** PostgreSQL's SELECT of ids of applications of which nothing may move now. */
  readonly held: string;
  /** Frees what evicted rows leave empty. */
  readonly onEvicted?: (kind: ArchiveKind) => Promise<void>;
}

export interface ArchivedKind {
  readonly kind: ArchiveKind;
  /** The table, with its schema, whose `created_at` says in which batch a row and its parts are. It has `application_id`. */
  readonly root: string;
  /** PostgreSQL's condition on a row `r` of the root: it is not over yet, or was changed since `$4`. */
  readonly busy: string;
  readonly tables: readonly ArchivedTable[];
  /** Deletes the rows of an interval with all that belongs to them. Answers how many rows, parts of rows not counted. */
  readonly evict: (tx: Transaction, applicationId: string, from: Date, to: Date) => Promise<number>;
  /** Comes first in the transaction that restores a batch. */
  readonly beforeRestore: (tx: Transaction, batch: Batch) => Promise<void>;
  /** Restores what belongs to the batch's rows beside them; `read` answers the archive's columns of a table's rows. */
  readonly onRestored?: (tx: Transaction, batch: Batch, read: ReadBatch) => Promise<void>;
  /** Forgets what the service knows of archived rows from before a time, which were deleted. */
  readonly onExpired?: (database: Database, applicationId: string, before: Date) => Promise<void>;
}

/** JSON arrays of the batch's rows in a table of ClickHouse, a few megabytes each. */
export type ReadBatch = (table: string, columns: string) => AsyncGenerator<string>;

export interface ArchivedTable {
  readonly entity: EntitySchema;
  /** Columns that the entity's table has not: in ClickHouse's type, and PostgreSQL's expression of `r` as text of TabSeparated. */
  readonly derived?: Readonly<Record<string, { readonly type: string; readonly sql: string }>>;
  /** Of parts of rows: PostgreSQL's FROM and WHERE for the rows `r` of application `$1` in the interval from `$2` until before `$3`. */
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

export function nameOf({ entity }: Pick<ArchivedTable, "entity">): string {
  return String(entity.options.tableName);
}

/** The tables whose rows `evict` counts. */
export function countedTables({ tables }: ArchivedKind): string[] {
  return tables.filter(({ rows }) => rows === undefined).map(nameOf);
}

export function kindOf({ kinds }: Pick<ArchiveOptions, "kinds">, kind: ArchiveKind): ArchivedKind {
  const found = kinds.find((one) => one.kind === kind);
  if (found === undefined) throw new Error(`nothing of the kind ${kind} is archived`);
  return found;
}
