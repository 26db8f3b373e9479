// Pruning: deletes what is older than it has to be kept, in batches.

import type { RelayDatabase } from "./db/relay-database.ts";

/** Rows that one statement deletes: a short transaction holds few locks and lets vacuum follow. */
const batchMax = 5_000;

export interface Expired {
  readonly table: string;
  /** The columns of its primary key. */
  readonly key: readonly string[];
  /** The column that tells a row's age; it needs an index. */
  readonly age: string;
  /** Rows with an older `age` are deleted: a date, or an SQL expression such as `now() - interval '14 days'`. */
  readonly before: Date | string;
  /** Several processes prune the table at a time. The role needs the right to update it. */
  readonly skipLocked?: boolean;
  /** Called after each batch, and waited for. */
  readonly onDeleted?: (rows: number) => Promise<void>;
}

/** Deletes rows of the table that are older than `before`. Answers how many. */
export function prune(
  relayDatabase: RelayDatabase,
  { table, key, age, before, skipLocked = false, onDeleted }: Expired,
): Promise<number> {
  const columns = key.join(", ");
  const limit = `${typeof before === "string" ? before : "$1"} ORDER BY ${age} LIMIT ${batchMax}`;
  const text = `DELETE FROM ${table} WHERE (${columns}) IN (
    SELECT ${columns} FROM ${table} WHERE ${age} < ${limit}${skipLocked ? " FOR UPDATE SKIP LOCKED" : ""})`;
  const values = typeof before === "string" ? [] : [before];
  return inBatches(batchMax, async () => {
    const deleted = await relayDatabase.change({ text, values });
    await onDeleted?.(deleted);
    return deleted;
  });
}

/** Repeats `deleteBatch`, which answers how many rows it deleted, until it finds fewer than `max`. Answers how many in all. */
export async function inBatches(max: number, deleteBatch: () => Promise<number>): Promise<number> {
  let [all, deleted] = [0, max];
  while (deleted === max) {
    deleted = await deleteBatch();
    all += deleted;
  }
  return all;
}
