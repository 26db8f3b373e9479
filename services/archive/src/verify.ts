// Compares a batch's rows in ClickHouse with the sums that PostgreSQL had for them.

import type { Database } from "@ems/kit/db/database";
import { type Batch, findBatches } from "./batches.ts";
import { archivedSums, type Source } from "./copy.ts";
import { type ArchivedTable, getBareTableName } from "./kind.ts";
import { listDifferences } from "./sums.ts";

export interface BatchDifference {
  readonly table: string;
  /** Names of the sums that differ. */
  readonly sums: readonly string[];
}

export interface VerifyDeps {
  readonly database: Database;
  readonly source: Source;
}

/**
 * Lists the differences between ClickHouse and the batch's `checks`; none if the batch changed its state in the
 * meantime.
 */
export async function archiveDifferences(
  { database, source }: VerifyDeps,
  tables: readonly ArchivedTable[],
  batch: Batch,
): Promise<BatchDifference[]> {
  const { number, state, checks } = batch;
  const differences: BatchDifference[] = [];
  for (const table of tables) {
    const hidden = await findBatches(database, batch, "b.number <> $3 AND b.state <> 'dropped'", number);
    const theirs = await archivedSums(source, table, batch, hidden);
    const sums = listDifferences(checks[getBareTableName(table)] ?? {}, theirs);
    if (sums.length > 0) differences.push({ table: getBareTableName(table), sums });
  }
  const [unchanged] = await findBatches(database, batch, "b.number = $3 AND b.state = $4", number, state);
  return unchanged === undefined ? [] : differences;
}

/** Error for a batch whose rows in ClickHouse differ from those that PostgreSQL had. */
export class ArchiveMismatch extends Error {
  override name = "ArchiveMismatch";
}

/** Throws `ArchiveMismatch` unless ClickHouse's rows match the batch's sums. */
export async function assertArchived(...[deps, tables, batch]: Parameters<typeof archiveDifferences>): Promise<void> {
  const [different] = await archiveDifferences(deps, tables, batch);
  if (different === undefined) return;
  const names = different.sums.join(", ");
  throw new ArchiveMismatch(
    `ClickHouse and PostgreSQL differ in ${names} of ${different.table}, batch ${batch.number}`,
  );
}
