// Copies a batch's rows from one PostgreSQL snapshot to ClickHouse, and sums both sides for comparison.

import type { ClickHouseClient } from "@clickhouse/client";
import { withClient } from "@ems/kit/db/client";
import { columnList } from "@ems/kit/db/columns";
import { to as copyTo } from "pg-copy-streams";
import type { Batch } from "./batches.ts";
import { archiveClient, ofApplication, requestMs } from "./client.ts";
import { columnType } from "./column-type.ts";
import type { ArchiveConfig, WorkerConfig } from "./config.ts";
import { type ArchivedTable, getBareTableName, selectRows } from "./kind.ts";
import { buildSums } from "./sums.ts";
import type { Sums } from "./types.ts";
import { buildVersionsQuery, type Versions } from "./versions.ts";

/** ClickHouse access without the filters of one application, for code that moves rows. */
export interface Source<Config = ArchiveConfig> {
  readonly client: ClickHouseClient;
  readonly config: Config;
}

/** Creates the ClickHouse access; undefined if no archive is configured. */
export function createSource<Config extends ArchiveConfig>(config: Config): Source<Config> | undefined {
  const client = archiveClient(config);
  return client && { client, config };
}

/** ClickHouse access, with the URL by which the service's runtime role reads PostgreSQL. */
export type CopySource = Source<WorkerConfig & { readonly DATABASE_URL: string }>;

/** Begins a snapshot that is limited to one tenant's rows, even for COPY. */
const begin = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL statement_timeout = ${requestMs};
  SET LOCAL timezone = 'UTC';
  SET LOCAL jit = off;
  SET LOCAL datestyle = 'ISO, YMD';`;

/** Copies the batch's rows; returns PostgreSQL's sums and fingerprints by table. */
export async function copyBatch(
  { client, config }: CopySource,
  tables: readonly ArchivedTable[],
  batch: Batch,
): Promise<{ checks: Batch["checks"]; versions: Versions }> {
  return withClient(config.DATABASE_URL, async (postgres) => {
    await postgres.query(begin);
    await postgres.query("SELECT set_config('ems.application_id', $1, true)", [batch.applicationId]);
    const checks: Record<string, Sums> = {};
    const versions: Record<string, Versions[string]> = {};
    for (const table of tables) {
      const times = [batch.from, batch.to].map((ms) => `'${new Date(ms).toISOString()}'::timestamptz`);
      const values = [`'${batch.applicationId}'`, ...times];
      const rows = selectRows(table).replaceAll(/\$([1-3])/g, (_, index: string) => String(values[Number(index) - 1]));
      const { rows: found } = await postgres.query<Sums>(`SELECT ${buildSums(table)[0]} FROM ${rows}`);
      const sum = found[0] ?? {};
      checks[getBareTableName(table)] = sum;
      const [version] = (await postgres.query<Versions[string]>(buildVersionsQuery(rows))).rows;
      if (version !== undefined) versions[getBareTableName(table)] = version;
      // Skip tables without rows, because ClickHouse rejects an empty insert.
      if (sum.rows === "0") continue;
      const columns = [...listColumns(table), ["batch", String(batch.number)] as const];
      await client.insert({
        table: `${config.CLICKHOUSE_DATABASE}.${getBareTableName(table)}`,
        columns: columns.map(([name]) => name) as [string, ...string[]],
        values: postgres.query(
          copyTo(`COPY (SELECT ${columns.map(([, sql]) => sql).join(", ")} FROM ${rows}) TO STDOUT`),
        ),
        format: "TabSeparated",
        clickhouse_settings: {
          ...buildSettings(batch.applicationId),
          async_insert: 0,
          insert_deduplicate: 0,
          insert_distributed_sync: 1,
        },
      });
    }
    await postgres.query("COMMIT");
    return { checks, versions };
  });
}

/** Returns ClickHouse's sums over all rows in the batch's interval that readers see. */
export async function archivedSums(
  source: Source,
  table: ArchivedTable,
  batch: Batch,
  hidden: readonly Batch[],
): Promise<Sums> {
  const { client, config } = source;
  const name = getBareTableName(table);
  // Wait until every replica has the inserted rows, because any replica may be read later.
  if (config.CLICKHOUSE_CLUSTER !== undefined) {
    const stored = `${config.CLICKHOUSE_DATABASE}.${name}_local`;
    await client.command({ query: `SYSTEM SYNC REPLICA ON CLUSTER '${config.CLICKHOUSE_CLUSTER}' ${stored}` });
  }
  const numbers = hidden.map(({ number }) => number);
  const isRead = "NOT has({numbers:Array(UInt32)}, r.batch)";
  const result = await select(source, name, batch, buildSums(table)[1], isRead, { numbers });
  const [sums = {}] = await result.json<Sums>();
  return sums;
}

/** Reads the batch's rows `r` of a ClickHouse table that match a condition. */
export function readBatch(
  source: Source,
  table: string,
  batch: Batch,
  columns: string,
  condition = "true",
  parameters: Readonly<Record<string, unknown>> = {},
) {
  const values = { ...parameters, number: batch.number };
  return select(source, table, batch, columns, `r.batch = {number:UInt32} AND ${condition}`, values);
}

function select(
  { client, config }: Source,
  table: string,
  { applicationId, from, to }: Batch,
  columns: string,
  condition: string,
  parameters: Readonly<Record<string, unknown>>,
) {
  const at = (bound: string) => `fromUnixTimestamp64Milli({${bound}:Int64}, 'UTC')`;
  return client.query({
    query: `SELECT ${columns} FROM ${config.CLICKHOUSE_DATABASE}.${table} r WHERE r.application_id = {application:UUID}
      AND r.created_at >= ${at("from")} AND r.created_at < ${at("to")} AND ${condition}`,
    query_params: { application: applicationId, from, to, ...parameters },
    format: "JSONEachRow",
    clickhouse_settings: {
      ...buildSettings(applicationId),
      date_time_output_format: "iso",
      output_format_json_quote_64bit_integers: 1,
    },
  });
}

/** Deletes an application's rows by batch number or time. No query sees the rows after this resolves. */
export async function deleteRows(
  source: Source,
  table: ArchivedTable,
  applicationId: string,
  rows: { readonly numbers: readonly number[] } | { readonly before: number },
): Promise<void> {
  const which =
    "numbers" in rows ? "has({numbers:Array(UInt32)}, batch)" : "created_at < fromUnixTimestamp64Milli({before:Int64})";
  await source.client.command({
    query: `DELETE FROM ${storedIn(source, table)} WHERE application_id = {application:UUID} AND ${which}`,
    query_params: { application: applicationId, ...rows },
    clickhouse_settings: { ...buildSettings(applicationId), lightweight_deletes_sync: "2" },
  });
}

/** Drops a month's partition of all applications, in constant time. */
export async function dropMonth(source: Source, table: ArchivedTable, month: Date): Promise<void> {
  const partition = month.toISOString().slice(0, 7).replace("-", "");
  await source.client.command({ query: `ALTER TABLE ${storedIn(source, table)} DROP PARTITION ${partition}` });
}

function storedIn(
  { config: { CLICKHOUSE_CLUSTER: cluster, CLICKHOUSE_DATABASE: database } }: Source,
  table: ArchivedTable,
) {
  const name = `${database}.${getBareTableName(table)}`;
  return cluster === undefined ? name : `${name}_local ON CLUSTER '${cluster}'`;
}

function buildSettings(applicationId: string) {
  return { ...ofApplication(applicationId), max_execution_time: requestMs / 1_000 };
}

/** Lists the columns of the archive's table, with their SQL text in TabSeparated format. */
function listColumns({ entity, derived = {} }: ArchivedTable): (readonly [name: string, sql: string])[] {
  const own = columnList(entity).map((column) => {
    return [column.name.slice(1, -1), columnType(column).copied(`r.${column.name}`)] as const;
  });
  return [...own, ...Object.entries(derived).map(([name, { sql }]) => [name, sql] as const)];
}
