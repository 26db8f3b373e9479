// Rows of a dropped batch come back from the archive, in the transaction that withdraws the batch.

import {
  type ArchiveKind,
  archivedColumnsOf,
  archivedRows,
  assertArchived,
  type Batch,
  batchesBecome,
  batchesWhere,
  findBatches,
  readBatch,
  type Source,
} from "@ems/kit/archive";
import { monotonicMs } from "@ems/kit/clock";
import { columnList } from "@ems/kit/db/columns";
import type { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import { definedFields } from "@ems/kit/patch";
import type { Tenant } from "@ems/kit/tenant";
import type { EntitySchema } from "typeorm";
import { begin } from "../retention/index.ts";
import { addWords, wordKeys } from "../search/index.ts";
import { addMonths } from "../tests/index.ts";
import {
  addMetadata,
  measureUpdates,
  storeUpdates,
  TraceEntity,
  TraceStepEntity,
  updateFromSteps,
} from "../traces/index.ts";
import { tablesOf } from "./kinds.ts";

/** Of what is inserted at a time. */
const chunkBytes = 4 * 1024 * 1024;
const timeoutMs = 600_000;

const isDropped = "b.application_id = $1 AND b.kind = $2 AND b.number = $3 AND b.state = 'dropped'";

const forgetTraces = `DELETE FROM experiments.dropped_trace
  WHERE application_id = $1 AND created_at >= $2 AND created_at < $3`;

/** Undefined where the batch is not dropped, or not any more. */
export async function restoreBatch(
  deps: { readonly database: Database; readonly source: Source },
  { applicationId, orgId }: Pick<Tenant, "applicationId" | "orgId">,
  kind: ArchiveKind,
  number: number,
): Promise<Batch | undefined> {
  const { database, source } = deps;
  const key = [applicationId, kind, number];
  const place = { schema: "experiments", applicationId, kind };
  const [found] = await findBatches(database, place, isDropped, number);
  if (found === undefined) return undefined;
  await assertArchived(deps, tablesOf(kind), found);
  return database.withScope({ applicationId, orgId }, monotonicMs() + timeoutMs, async (tx) => {
    tx.defer(begin);
    const [batch] = await tx.query<Batch>(`${batchesWhere("experiments", isDropped)} FOR UPDATE`, key);
    if (batch === undefined) return undefined;
    if (kind === "traces") await tx.query(forgetTraces, [applicationId, new Date(batch.from), new Date(batch.to)]);
    addMonths(tx, [new Date(batch.to - 1)]);
    let rows = 0;
    /** Traces that came again since: they go on with what the archive has of them. */
    const earlier: string[] = [];
    for (const { entity } of tablesOf(kind)) {
      const restored = await restoreRows(tx, source, batch, entity, earlier);
      rows += restored.rows + restored.skipped.length;
      if (entity === TraceEntity) earlier.push(...restored.skipped);
    }
    if (kind === "traces") {
      rows += await mergeTraces(tx, source, batch, { applicationId, orgId, userId: "" }, earlier);
      await restoreIndexes(tx, source, batch, earlier);
    }
    if (rows !== batch.rows) throw new Error(`${rows} of ${batch.rows} rows came back of batch ${number}`);
    const [restored] = await tx.query<Batch>(batchesBecome("experiments", "restored", isDropped), key);
    return restored;
  });
}

interface Restored {
  readonly rows: number;
  /** Ids of rows that are there already. */
  readonly skipped: readonly string[];
}

async function restoreRows(
  tx: Transaction,
  source: Source,
  batch: Batch,
  entity: EntitySchema,
  earlier: readonly string[],
): Promise<Restored> {
  const columns = columnList(entity).map(({ name, type, isArray }) => {
    const full = `${type}${isArray ? "[]" : ""}`;
    // JSON is kept as text, to the letter.
    return { name, recorded: `${name} ${full === "json" ? "text" : full}`, value: `r.${name}::${full}` };
  });
  const names = columns.map(({ name }) => name).join(", ");
  const table = String(entity.options.tableName);
  const text = `WITH recorded AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) r (${columns.map(({ recorded }) => recorded).join(", ")})
      ${table === "trace_step" ? "WHERE r.trace_id <> ALL ($2::uuid[])" : "WHERE $2::uuid[] IS NOT NULL"}
    ), inserted AS (
      INSERT INTO experiments.${table} (${names}) SELECT ${columns.map(({ value }) => value).join(", ")} FROM recorded r
      ON CONFLICT DO NOTHING RETURNING id
    ) SELECT (SELECT count(*)::int FROM inserted) AS rows, ARRAY(SELECT id FROM recorded EXCEPT SELECT id FROM inserted) AS skipped`;
  let restored: Restored = { rows: 0, skipped: [] };
  for await (const json of chunksOf(source, table, batch, names)) {
    const [{ rows, skipped } = restored] = await tx.query<Restored>(text, [json, earlier]);
    restored = { rows: restored.rows + rows, skipped: [...restored.skipped, ...skipped] };
  }
  return restored;
}

/** What belongs to restored traces beside their steps: pairs of metadata, and keys of words. */
async function restoreIndexes(
  tx: Transaction,
  source: Source,
  batch: Batch,
  earlier: readonly string[],
): Promise<void> {
  const keys = wordKeys(batch.applicationId);
  const isRestored = "r.id NOT IN {earlier:Array(UUID)}";
  for await (const json of chunksOf(source, "trace", batch, "id, created_at, words", isRestored, { earlier })) {
    const traces: { id: string; created_at: string; words: string[] }[] = JSON.parse(json);
    const found = traces.map(({ id, created_at: createdAt, words }) => {
      const own = words.map(Number).filter((word) => word >= 0 && word !== keys.split);
      return [id, { createdAt: new Date(createdAt), words: new Set(own) }] as const;
    });
    const recorded = new Map(found);
    addMetadata(tx, batch.applicationId, [...recorded.keys()]);
    await addWords(tx, batch.applicationId, recorded, keys);
  }
}

/** As if ingestion got it once more; answers the number of steps that the archive has. */
async function mergeTraces(
  tx: Transaction,
  source: Source,
  batch: Batch,
  tenant: Tenant,
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const read = async <Row>(entity: EntitySchema<Row>, key: string) => {
    const [table, columns] = [String(entity.options.tableName), archivedColumnsOf(entity, "r")];
    const rows = await readBatch(source, table, batch, columns, `r.${key} IN {ids:Array(UUID)}`, { ids });
    return archivedRows(entity, await rows.json<Record<string, unknown>>());
  };
  const steps = (await read(TraceStepEntity, "trace_id")).sort((a, b) => a.position - b.position);
  const updates = (await read(TraceEntity, "id")).map(
    ({ id, referenceId, testId, metadata, evals, endUser, endUserKey }) => ({
      traceId: id,
      isRedacted: true as const,
      ...updateFromSteps(steps.filter(({ traceId }) => traceId === id)),
      trace: definedFields({
        referenceId: referenceId ?? undefined,
        testId: testId ?? undefined,
        metadata: metadata ?? undefined,
        evals: evals ?? undefined,
        endUser: endUser === null ? undefined : { id: endUser, key: String(endUserKey) },
      }),
    }),
  );
  const [{ now }] = (await tx.query("SELECT now() AS now")) as [{ now: Date }];
  const measured = await measureUpdates(tenant.applicationId, updates);
  await storeUpdates(tx, tenant, { now, source: "ingest", settling: { touch: () => undefined } }, measured);
  return steps.length;
}

/** Rows as JSON arrays of a limited size. */
async function* chunksOf(...rows: Parameters<typeof readBatch>): AsyncGenerator<string> {
  let [chunk, bytes]: [string[], number] = [[], 0];
  for await (const some of (await readBatch(...rows)).stream()) {
    for (const { text } of some) {
      chunk.push(text);
      bytes += text.length;
    }
    if (bytes < chunkBytes) continue;
    yield `[${chunk.join(",")}]`;
    [chunk, bytes] = [[], 0];
  }
  if (chunk.length > 0) yield `[${chunk.join(",")}]`;
}
