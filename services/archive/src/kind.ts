// Declaration of a service's archived rows.

import { getQualifiedTable } from "@ems/kit/db/columns";
import type { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import type { EntitySchema } from "typeorm";
import type { Batch } from "./batches.ts";
import type { ArchiveKind } from "./types.ts";

/** Archive of one service. */
export interface ArchiveOptions {
  /** The service's schema, which contains `archive_batch`. */
  readonly schema: string;
  readonly kinds: readonly ArchivedKind[];
  /** PostgreSQL SELECT of the ids of applications whose rows must not move now. */
  readonly held: string;
  /** Called after rows of the kind were evicted, to release their space. */
  readonly onEvicted?: (kind: ArchiveKind) => Promise<void>;
}

export interface ArchivedKind {
  readonly kind: ArchiveKind;
  /**
   * Qualified name of the table whose `created_at` assigns a row and its parts to a batch. It has a column
   * `application_id`.
   */
  readonly root: string;
  /** PostgreSQL condition on a root row `r`: it is unfinished, or was changed since `$4`. */
  readonly busy: string;
  readonly tables: readonly ArchivedTable[];
  /**
   * Deletes the rows of an interval with everything that belongs to them. Returns the number of rows, excluding parts
   * of rows.
   */
  readonly evict: (tx: Transaction, applicationId: string, from: Date, to: Date) => Promise<number>;
  /** Runs first in the transaction that restores a batch. */
  readonly beforeRestore: (tx: Transaction, batch: Batch) => Promise<void>;
  /** Restores dependent data of the batch's rows; `read` returns the archive's columns of a table's rows. */
  readonly onRestored?: (tx: Transaction, batch: Batch, read: ReadBatch) => Promise<void>;
  /** Called after archived rows from before a time were deleted; deletes what else the service stores about them. */
  readonly onExpired?: (database: Database, applicationId: string, before: Date) => Promise<void>;
}

/** JSON arrays of the batch's rows in a ClickHouse table, a few megabytes each. */
export type ReadBatch = (table: string, columns: string) => AsyncGenerator<string>;

export interface ArchivedTable {
  readonly entity: EntitySchema;
  /** Columns that only the archive has: ClickHouse's type, and PostgreSQL's expression of `r` as TabSeparated text. */
  readonly derived?: Readonly<Record<string, { readonly type: string; readonly sql: string }>>;
  /**
   * Only for kinds whose rows are part of another row, such as steps: FROM and WHERE clauses that select them as `r`,
   * of application `$1`, with `$2` <= time < `$3`.
   */
  readonly rows?: string;
  /** Sort order of rows with the same application and `created_at`. */
  readonly order: readonly string[];
  /** Columns for look-ups of rows without their time. A list column is looked up by its members. */
  readonly lookups: readonly string[];
  /** Rows per index granule; below ClickHouse's 8,192 for wide rows. */
  readonly granularity?: number;
}

export function selectRows({ entity, rows }: ArchivedTable): string {
  return (
    rows ?? `${getQualifiedTable(entity)} r WHERE r.application_id = $1 AND r.created_at >= $2 AND r.created_at < $3`
  );
}

export function getBareTableName({ entity }: Pick<ArchivedTable, "entity">): string {
  return String(entity.options.tableName);
}

/** Lists the names of the tables whose rows `evict` counts. */
export function countedTables({ tables }: ArchivedKind): string[] {
  return tables.filter(({ rows }) => rows === undefined).map(getBareTableName);
}

export function getKind({ kinds }: Pick<ArchiveOptions, "kinds">, kind: ArchiveKind): ArchivedKind {
  const found = kinds.find((archived) => archived.kind === kind);
  if (found === undefined) throw new Error(`no archived table has the kind ${kind}`);
  return found;
}
