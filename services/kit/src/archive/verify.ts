import type { Database } from "../db/database.ts";
import { hiddenBatches } from "./batches.ts";
import { archivedSums, type CheckedBatch, nameOf, type Source } from "./copy.ts";
import { type ArchivedTable, rowsOf } from "./kind.ts";
import { differenceOf, postgresSums, type Sums } from "./sums.ts";
import type { ArchiveKind } from "./types.ts";

export interface BatchDifference {
  readonly table: string;
  /** Names of sums. */
  readonly sums: readonly string[];
}

const timeoutMs = 600_000;
const stateOf = "SELECT b.state FROM archive_batch b WHERE b.application_id = $1 AND b.kind = $2 AND b.number = $3";

/** Where ClickHouse has not what PostgreSQL has, or had when it was dropped; nothing of a batch that changed meanwhile. */
export async function archiveDifferences(
  { database, ...source }: Source & { readonly database: Database },
  schema: string,
  tables: readonly ArchivedTable[],
  batch: CheckedBatch & { readonly kind: ArchiveKind; readonly state: string },
): Promise<BatchDifference[]> {
  const { applicationId, kind, number, state } = batch;
  const query = <Row extends object>(text: string, values: readonly unknown[]) =>
    database.withScope({ applicationId }, Date.now() + timeoutMs, (tx) => tx.query<Row>(text, values));
  const differences: BatchDifference[] = [];
  for (const table of tables) {
    const name = nameOf(table);
    const hidden = await hiddenBatches(database, { schema, applicationId, kind });
    const [theirs = {}] = await archivedSums(source, table, { ...batch, hidden });
    const select = `SELECT ${postgresSums(table)} FROM ${rowsOf(table)}`;
    const between = [applicationId, new Date(batch.from), new Date(batch.to)];
    const [ours = {}] = state === "published" ? await query<Sums>(select, between) : [batch.checks[name]];
    const sums = differenceOf(ours, theirs);
    if (sums.length > 0) differences.push({ table: name, sums });
  }
  const text = stateOf.replace("archive_batch", `${schema}.archive_batch`);
  const [now] = await query<{ state: string }>(text, [applicationId, kind, number]);
  return now?.state === state ? differences : [];
}
