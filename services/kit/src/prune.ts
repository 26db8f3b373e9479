// Pruning: deletes rows past their retention, in batches.

import type { RelayDatabase } from "./db/relay-database.ts";

/** Maximum rows per statement: a short transaction holds few locks and lets vacuum keep up. */
const batchMax = 5_000;

export interface Expired {
  readonly table: string;
  /** The columns of its primary key. */
  readonly key: readonly string[];
  /** Column with a row's age; it needs an index. */
  readonly age: string;
  /** Rows with an older `age` are deleted: a date, or an SQL expression such as `now() - interval '14 days'`. */
  readonly before: Date | string;
  /** True if several processes may prune the table concurrently. The role needs the right to update it. */
  readonly skipLocked?: boolean;
  /** Called and awaited after each batch. */
  readonly onDeleted?: (rows: number) => Promise<void>;
}

/** Deletes rows of the table that are older than `before`; returns their number. */
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

/**
 * Repeats `deleteBatch`, which returns the number of deleted rows, until it deletes fewer than `max`. Returns the
 * total.
 */
export async function inBatches(max: number, deleteBatch: () => Promise<number>): Promise<number> {
  let [all, deleted] = [0, max];
  while (deleted === max) {
    deleted = await deleteBatch();
    all += deleted;
  }
  return all;
}
