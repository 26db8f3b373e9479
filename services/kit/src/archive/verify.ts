// Whether ClickHouse has what readers of a batch's interval are to find.

import { monotonicMs } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { type Batch, findBatches } from "./batches.ts";
import { requestMs } from "./client.ts";
import { archivedSums, nameOf, type Source } from "./copy.ts";
import { type ArchivedTable, rowsOf } from "./kind.ts";
import { differenceOf, type Sums, sumsOf } from "./sums.ts";

export interface BatchDifference {
  readonly table: string;
  /** Names of sums. */
  readonly sums: readonly string[];
}

/** What PostgreSQL has while the batch is published, and else what it had, by the batch's checks; none of one that changed meanwhile. */
export async function archiveDifferences(
  { database, source }: { readonly database: Database; readonly source: Source },
  tables: readonly ArchivedTable[],
  batch: Batch,
): Promise<BatchDifference[]> {
  const { applicationId, from, to, number, state, checks } = batch;
  const readSums = async (table: ArchivedTable): Promise<Sums | undefined> => {
    const text = `SELECT ${sumsOf(table)[0]} FROM ${rowsOf(table)}`;
    const values = [applicationId, new Date(from), new Date(to)];
    const [sums] = await database.withScope({ applicationId }, monotonicMs() + requestMs, (tx) =>
      tx.query<Sums>(text, values),
    );
    return sums;
  };
  const others = "b.number <> $3 AND b.state NOT IN ('published', 'dropped')";
  const differences: BatchDifference[] = [];
  for (const table of tables) {
    const name = nameOf(table);
    const hidden = await findBatches(database, batch, others, number);
    const theirs = await archivedSums(source, table, batch, hidden);
    const ours = state === "published" ? await readSums(table) : checks[name];
    const sums = differenceOf(ours ?? {}, theirs);
    if (sums.length > 0) differences.push({ table: name, sums });
  }
  const [unchanged] = await findBatches(database, batch, "b.number = $3 AND b.state = $4", number, state);
  return unchanged === undefined ? [] : differences;
}

/** The rows of a batch are not what they are to be. */
export class ArchiveMismatch extends Error {
  override name = "ArchiveMismatch";
}

export async function assertArchived(...[deps, tables, batch]: Parameters<typeof archiveDifferences>): Promise<void> {
  const [different] = await archiveDifferences(deps, tables, batch);
  if (different === undefined) return;
  const names = different.sums.join(", ");
  throw new ArchiveMismatch(
    `ClickHouse has other ${names} of ${different.table} than PostgreSQL in batch ${batch.number}`,
  );
}
