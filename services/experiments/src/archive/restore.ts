// Rows of a dropped batch come back from the archive, in the transaction that withdraws the batch.

import { assertArchived, type CheckedBatch, hiddenBatches, ofApplication, type Source } from "@ems/kit/archive";
import { columnList } from "@ems/kit/db/columns";
import type { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import { definedFields } from "@ems/kit/patch";
import type { Tenant } from "@ems/kit/tenant";
import type { EntitySchema } from "typeorm";
import { begin } from "../retention/index.ts";
import { addWords, wordKeys } from "../search/index.ts";
import { addMonths } from "../tests/index.ts";
import { addMetadata, storeUpdates, TraceEntity, type TraceStepRow, traceStep } from "../traces/index.ts";
import { type ExperimentsKind, tablesOf } from "./kinds.ts";

/** Of what is inserted at a time. */
const chunkBytes = 4 * 1024 * 1024;
const timeoutMs = 600_000;

interface Batch extends CheckedBatch {
  readonly rows: string;
  readonly now: Date;
}

const lock = `SELECT b.application_id AS "applicationId", b.number, b.rows, b.checks, now() AS now,
    (extract(epoch FROM b.starts) * 1000)::float8 AS "from", (extract(epoch FROM b.ends) * 1000)::float8 AS "to"
  FROM experiments.archive_batch b
  WHERE b.application_id = $1 AND b.kind = $2 AND b.number = $3 AND b.state = 'dropped' FOR UPDATE`;
const end = `UPDATE experiments.archive_batch SET state = 'restored', changed_at = now()
  WHERE application_id = $1 AND kind = $2 AND number = $3`;

/** Answers how many rows came back: none of a batch that is not dropped, or not any more. */
export async function restoreBatch(
  { database, source }: { readonly database: Database; readonly source: Source },
  { applicationId, orgId }: Pick<Tenant, "applicationId" | "orgId">,
  kind: ExperimentsKind,
  number: number,
): Promise<number> {
  const hidden = await hiddenBatches(database, { schema: "experiments", applicationId, kind });
  return database.withScope({ applicationId, orgId }, Date.now() + timeoutMs, async (tx) => {
    tx.defer(begin);
    const key = [applicationId, kind, number];
    const [batch] = await tx.query<Batch>(lock, key);
    if (batch === undefined) return 0;
    await assertArchived(source, tablesOf(kind), batch, hidden);
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
    if (rows !== Number(batch.rows)) throw new Error(`${rows} of ${batch.rows} rows came back of batch ${number}`);
    tx.defer(end, key);
    return rows;
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
  for await (const json of chunksOf(source, batch, table, names)) {
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
  for await (const json of chunksOf(source, batch, "trace", "id, created_at, words")) {
    const recorded: { id: string; created_at: string; words: string[] }[] = JSON.parse(json);
    const traces = recorded.filter(({ id }) => !earlier.includes(id));
    const ids = traces.map(({ id }) => id);
    addMetadata(tx, batch.applicationId, ids);
    const found = traces.map(({ id, created_at: createdAt, words }) => {
      const own = words.map(Number).filter((word) => word >= 0 && word !== keys.split);
      return [id, { createdAt: new Date(createdAt), words: new Set(own) }] as const;
    });
    await addWords(tx, batch.applicationId, new Map(found), keys);
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
  const rowsOf = async (table: string, key: string) => {
    const rows: Record<string, string | null>[] = [];
    for await (const json of chunksOf(source, batch, table, "*", { key, ids })) rows.push(...JSON.parse(json));
    return rows;
  };
  const steps = await rowsOf("trace_step", "trace_id");
  const json = (text: string | null | undefined) => JSON.parse(text ?? "null") ?? undefined;
  const updates = (await rowsOf("trace", "id")).map((row) => ({
    traceId: String(row.id),
    isRedacted: true as const,
    steps: steps
      .filter(({ trace_id: id }) => id === row.id)
      .sort((a, b) => Number(a.position) - Number(b.position))
      // Columns of the archive are those of the row.
      .map((step) =>
        traceStep({
          ...(step as Record<"id" | "input" | "output", string> & Pick<TraceStepRow, "type" | "event">),
          ...{ traceId: String(row.id), parentId: step.parent_id ?? null, fields: json(step.fields) },
          timestamp: new Date(String(step.timestamp)),
        }),
      ),
    trace: definedFields({
      referenceId: row.reference_id ?? undefined,
      testId: row.test_id ?? undefined,
      metadata: json(row.metadata),
      evals: json(row.evals),
      endUser: row.end_user == null ? undefined : { id: row.end_user, key: String(row.end_user_key) },
    }),
  }));
  await storeUpdates(tx, tenant, { now: batch.now, source: "ingest", settling: { touch: () => undefined } }, updates);
  return steps.length;
}

/** Rows as JSON arrays of a limited size. */
async function* chunksOf(
  { client, config: { CLICKHOUSE_DATABASE: database } }: Source,
  { applicationId, number, from, to }: Batch,
  table: string,
  columns: string,
  only?: { readonly key: string; readonly ids: readonly string[] },
): AsyncGenerator<string> {
  const result = await client.query({
    query: `SELECT ${columns} FROM ${database}.${table} WHERE application_id = {application:UUID} AND batch = {number:UInt32}
      AND created_at >= fromUnixTimestamp64Milli({from:Int64}) AND created_at < fromUnixTimestamp64Milli({to:Int64})
      ${only === undefined ? "" : `AND ${only.key} IN {ids:Array(UUID)}`}`,
    query_params: {
      application: applicationId,
      number,
      from,
      to,
      ids: only?.ids ?? [],
    },
    format: "JSONEachRow",
    clickhouse_settings: {
      ...ofApplication(applicationId),
      date_time_output_format: "iso",
      output_format_json_quote_64bit_integers: 1,
    },
  });
  let [rows, bytes]: [string[], number] = [[], 0];
  for await (const some of result.stream()) {
    for (const { text } of some) {
      rows.push(text);
      bytes += text.length;
    }
    if (bytes < chunkBytes) continue;
    yield `[${rows.join(",")}]`;
    [rows, bytes] = [[], 0];
  }
  if (rows.length > 0) yield `[${rows.join(",")}]`;
}
