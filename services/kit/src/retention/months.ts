// Deletes rows of tables that are partitioned by month: whole months by dropping partitions (`monthsSql`), other rows
// in batches per application.

import { monotonicMs } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { isLockTimeout } from "../db/errors.ts";
import type { RelayDatabase } from "../db/relay-database.ts";
import type { Transaction } from "../db/transaction.ts";
import { applicationsWith } from "./applications.ts";
import type { OnDeleted } from "./kinds.ts";

/** Rows of a kind in tables that are partitioned by month. */
export interface MonthlyRows {
  readonly schema: string;
  readonly kind: string;
  /** Table whose `created_at` is the age of rows. It has a column `application_id`. */
  readonly root: string;
  /** Deletes some of the oldest rows between `from` and `before`; returns their number. */
  readonly deleteSome: (tx: Transaction, applicationId: string, before: Date, from?: Date) => Promise<number>;
}

export interface MonthsDeps {
  readonly database: Database;
  readonly relayDatabase: RelayDatabase;
}

/**
 * Makes expired rows visible to the transaction, and enforces look-ups of their parts by key, whatever the statistics.
 */
export const beginDeletion = `SELECT set_config('ems.retention', 'deletes', true), set_config('enable_hashjoin', 'off', true),
  set_config('enable_mergejoin', 'off', true), set_config('enable_seqscan', 'off', true)`;

const timeoutMs = 30_000;

/** Deletes all rows from before the time. */
export async function clearMonths(
  { database, relayDatabase }: MonthsDeps,
  rows: MonthlyRows,
  before: Date,
  onDeleted: OnDeleted,
): Promise<void> {
  const { schema, kind, root, deleteSome } = rows;
  await dropMonths(relayDatabase, rows, `${schema}.detach_expired($1, $2)`, [kind, before], onDeleted);
  for (const applicationId of await applicationsWith(relayDatabase, { table: root, age: "created_at" }, before)) {
    let deleted = 0;
    do {
      // Work without a call counts as background work, which yields to requests.
      deleted = await database.withScope({ applicationId }, monotonicMs() + timeoutMs, async (tx) => {
        tx.defer(beginDeletion);
        return deleteSome(tx, applicationId, before);
      });
      await onDeleted(deleted);
    } while (deleted > 0);
  }
}

/** Deletes all rows between two times. */
export async function deleteInterval(
  { deleteSome }: Pick<MonthlyRows, "deleteSome">,
  tx: Transaction,
  applicationId: string,
  from: Date,
  to: Date,
): Promise<number> {
  tx.defer(beginDeletion);
  let [all, deleted] = [0, 0];
  do {
    deleted = await deleteSome(tx, applicationId, to, from);
    all += deleted;
  } while (deleted > 0);
  return all;
}

/** Drops months that the archive has emptied; a month in use is dropped later. */
export async function dropEmptied(
  relayDatabase: RelayDatabase,
  rows: Pick<MonthlyRows, "schema" | "kind">,
): Promise<void> {
  const { schema, kind } = rows;
  await dropMonths(relayDatabase, rows, `${schema}.detach_emptied($1)`, [kind], async () => undefined).catch(
    (error: unknown) => {
      if (!isLockTimeout(error)) throw error;
    },
  );
}

/** Detaches months while `detach` finds one, and drops them, including those that a dead process detached. */
async function dropMonths(
  relayDatabase: RelayDatabase,
  { schema, kind }: Pick<MonthlyRows, "schema" | "kind">,
  detach: string,
  values: readonly unknown[],
  onDeleted: OnDeleted,
): Promise<void> {
  for (;;) {
    const [row] = await relayDatabase.query<{ detached: boolean }>({ text: `SELECT ${detach} AS detached`, values });
    if (row?.detached !== true) break;
    await onDeleted(0);
  }
  for (;;) {
    const [dropped] = await relayDatabase.query<{ part: string | null; deleted: string }>({
      text: `SELECT part, deleted FROM ${schema}.drop_detached($1)`,
      values: [kind],
    });
    if (dropped === undefined || dropped.part === null) break;
    await onDeleted(Number(dropped.deleted));
  }
}
