// Restores a batch's rows from the archive to PostgreSQL, in the transaction that changes the batch's state.

import { monotonicMs } from "@ems/kit/clock";
import { columnList } from "@ems/kit/db/columns";
import type { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Tenant } from "@ems/kit/tenant";
import type { EntitySchema } from "typeorm";
import { type Batch, batchesBecome, batchesWhere, findBatches } from "./batches.ts";
import { readBatch, type Source } from "./copy.ts";
import { type ArchiveOptions, countedTables, getBareTableName, getKind, type ReadBatch } from "./kind.ts";
import type { ArchiveKind } from "./types.ts";
import { assertArchived } from "./verify.ts";

/** Maximum bytes inserted per statement. */
const chunkBytes = 4 * 1024 * 1024;
const timeoutMs = 600_000;

const isDropped = "b.application_id = $1 AND b.kind = $2 AND b.number = $3 AND b.state = 'dropped'";

export interface RestoreDeps {
  readonly database: Database;
  readonly source: Source;
}

/** Restores a batch. Returns undefined if the batch is not, or no longer, in the archive. */
export async function restoreBatch(
  deps: RestoreDeps,
  options: Pick<ArchiveOptions, "schema" | "kinds">,
  owner: Pick<Tenant, "applicationId" | "orgId">,
  kind: ArchiveKind,
  number: number,
): Promise<Batch | undefined> {
  const { schema } = options;
  const archived = getKind(options, kind);
  const key = [owner.applicationId, kind, number];
  const place = { schema, applicationId: owner.applicationId, kind };
  const [found] = await findBatches(deps.database, place, isDropped, number);
  if (found === undefined) return undefined;
  await assertArchived(deps, archived.tables, found);
  return deps.database.withScope(owner, monotonicMs() + timeoutMs, async (tx) => {
    const [batch] = await tx.query<Batch>(`${batchesWhere(schema, isDropped)} FOR UPDATE`, key);
    if (batch === undefined) return undefined;
    const read: ReadBatch = (table, columns) => readChunks(deps.source, table, batch, columns);
    await archived.beforeRestore(tx, batch);
    const counted = countedTables(archived);
    let [rows, expected] = [0, 0];
    for (const { entity } of archived.tables) {
      const name = getBareTableName({ entity });
      const restored = await restoreRows(tx, schema, entity, read);
      if (!counted.includes(name)) continue;
      rows += restored;
      expected += Number(batch.checks[name]?.rows ?? 0);
    }
    if (rows !== expected) throw new Error(`restored ${rows} of ${expected} rows of batch ${number}`);
    await archived.onRestored?.(tx, batch, read);
    const [restored] = await tx.query<Batch>(batchesBecome(schema, "restored", isDropped), key);
    return restored;
  });
}

/** Inserts the batch's missing rows into the table. Returns the number of all its rows, also of existing ones. */
async function restoreRows(tx: Transaction, schema: string, entity: EntitySchema, read: ReadBatch): Promise<number> {
  const columns = columnList(entity).map(({ name, type, isArray }) => {
    const full = `${type}${isArray ? "[]" : ""}`;
    // Read JSON as text, which preserves it byte for byte.
    return { name, recorded: `${name} ${full === "json" ? "text" : full}`, value: `r.${name}::${full}` };
  });
  const names = columns.map(({ name }) => name).join(", ");
  const text = `WITH recorded AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) r (${columns.map(({ recorded }) => recorded).join(", ")})
    ), inserted AS (
      INSERT INTO ${schema}.${getBareTableName({ entity })} (${names}) SELECT ${columns.map(({ value }) => value).join(", ")} FROM recorded r
      ON CONFLICT DO NOTHING
    ) SELECT count(*)::int AS rows FROM recorded`;
  let rows = 0;
  for await (const json of read(getBareTableName({ entity }), names)) {
    const [restored] = await tx.query<{ rows: number }>(text, [json]);
    rows += restored?.rows ?? 0;
  }
  return rows;
}

async function* readChunks(...rows: Parameters<typeof readBatch>): AsyncGenerator<string> {
  let [chunk, bytes]: [string[], number] = [[], 0];
  for await (const parts of (await readBatch(...rows)).stream()) {
    for (const { text } of parts) {
      chunk.push(text);
      bytes += text.length;
    }
    if (bytes < chunkBytes) continue;
    yield `[${chunk.join(",")}]`;
    [chunk, bytes] = [[], 0];
  }
  if (chunk.length > 0) yield `[${chunk.join(",")}]`;
}
