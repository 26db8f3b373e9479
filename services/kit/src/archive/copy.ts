// The rows of a batch, from one snapshot of PostgreSQL into ClickHouse; and whether both have the same.

import type { ClickHouseClient } from "@clickhouse/client";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { withClient } from "../db/client.ts";
import { type Column, columnList } from "../db/columns.ts";
import type { Batch } from "./batches.ts";
import { archiveClient, ofApplication, requestMs } from "./client.ts";
import type { ArchiveConfig } from "./config.ts";
import { type ArchivedTable, rowsOf } from "./kind.ts";
import { clickhouseSums, differenceOf, postgresSums, type Sums } from "./sums.ts";
import type { Interval } from "./types.ts";

/** ClickHouse past the door, for whoever moves rows. */
export interface Source {
  readonly client: ClickHouseClient;
  readonly config: ArchiveConfig;
}

/** Undefined when no archive is configured. */
export function sourceOf(config: ArchiveConfig): Source | undefined {
  const client = archiveClient(config);
  return client && { client, config };
}

/** What a published batch has. */
export interface CheckedBatch extends Interval {
  readonly applicationId: string;
  readonly number: number;
  readonly checks: Readonly<Record<string, Sums>>;
}

export interface CopyDeps extends Source {
  /** PostgreSQL as the service's runtime role. */
  readonly url: string;
}

/** A snapshot that a tenant's rows are read in, by COPY too. */
const begin = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL statement_timeout = ${requestMs};
  SET LOCAL timezone = 'UTC';
  SET LOCAL jit = off;
  SET LOCAL datestyle = 'ISO, YMD';`;

/** Copies the batch's rows; answers PostgreSQL's sums of each table, which ClickHouse's equal. */
export async function copyBatch(
  { client, config, url }: CopyDeps,
  tables: readonly ArchivedTable[],
  batch: Batch,
  hidden: readonly number[],
): Promise<Record<string, Sums>> {
  const checks = await withClient(url, async (postgres) => {
    await postgres.query(begin);
    await postgres.query("SELECT set_config('ems.application_id', $1, true)", [batch.applicationId]);
    const sums: Record<string, Sums> = {};
    for (const table of tables) {
      const values = [`'${batch.applicationId}'`, ...[batch.from, batch.to].map((ms) => literalOf(ms))];
      const rows = rowsOf(table).replaceAll(/\$([1-3])/g, (_, index: string) => String(values[Number(index) - 1]));
      const { rows: found } = await postgres.query<Sums>(`SELECT ${postgresSums(table)} FROM ${rows}`);
      const sum = found[0] ?? {};
      sums[nameOf(table)] = sum;
      // ClickHouse refuses an insert of nothing.
      if (sum.rows === "0") continue;
      const columns = [...columnsOf(table), ["batch", String(batch.number)] as const];
      await client.insert({
        table: `${config.CLICKHOUSE_DATABASE}.${nameOf(table)}`,
        columns: columns.map(([name]) => name) as [string, ...string[]],
        values: postgres.query(
          copyTo(`COPY (SELECT ${columns.map(([, sql]) => sql).join(", ")} FROM ${rows}) TO STDOUT`),
        ),
        format: "TabSeparated",
        clickhouse_settings: {
          ...settingsOf(batch.applicationId),
          async_insert: 0,
          insert_deduplicate: 0,
          insert_distributed_sync: 1,
        },
      });
    }
    await postgres.query("COMMIT");
    return sums;
  });
  await assertArchived({ client, config }, tables, { ...batch, checks }, hidden);
  return checks;
}

/** Rejects where what readers of the batch's interval would read is not what its checks say. */
export async function assertArchived(
  source: Source,
  tables: readonly ArchivedTable[],
  { checks, ...batch }: CheckedBatch,
  hidden: readonly number[],
): Promise<void> {
  for (const table of tables) {
    const name = nameOf(table);
    const others = hidden.filter((number) => number !== batch.number);
    const [theirs] = await archivedSums(source, table, { ...batch, hidden: others });
    const different = differenceOf(checks[name] ?? {}, theirs ?? {});
    if (different.length > 0) {
      throw new Error(
        `ClickHouse has other ${different.join(", ")} of ${name} than PostgreSQL in batch ${batch.number}`,
      );
    }
  }
}

export interface ArchivedRows extends Interval {
  readonly applicationId: string;
  readonly hidden: readonly number[];
}

/** ClickHouse's sums of what readers of the interval would read. */
export async function archivedSums(
  { client, config }: Source,
  table: ArchivedTable,
  { applicationId, from, to, hidden }: ArchivedRows,
): Promise<Sums[]> {
  const name = `${config.CLICKHOUSE_DATABASE}.${nameOf(table)}`;
  // Every replica has what was inserted, whichever is read later.
  if (config.CLICKHOUSE_CLUSTER !== undefined) {
    await client.command({ query: `SYSTEM SYNC REPLICA ON CLUSTER '${config.CLICKHOUSE_CLUSTER}' ${name}_local` });
  }
  const result = await client.query({
    query: `SELECT ${clickhouseSums(table)} FROM ${name} WHERE application_id = {application:UUID}
      AND created_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND created_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
      AND NOT has({hidden:Array(UInt32)}, batch)`,
    query_params: { application: applicationId, from, to, hidden: [...hidden] },
    format: "JSONEachRow",
    clickhouse_settings: settingsOf(applicationId),
  });
  return result.json<Sums>();
}

/** Deletes the application's rows of batches, or before a time: when it resolves, no query sees them. */
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
    clickhouse_settings: { ...settingsOf(applicationId), lightweight_deletes_sync: "2" },
  });
}

/** Deletes a month of all applications, which takes no time. */
export async function dropMonth(source: Source, table: ArchivedTable, month: Date): Promise<void> {
  const partition = month.toISOString().slice(0, 7).replace("-", "");
  await source.client.command({ query: `ALTER TABLE ${storedIn(source, table)} DROP PARTITION ${partition}` });
}

function storedIn(
  { config: { CLICKHOUSE_CLUSTER: cluster, CLICKHOUSE_DATABASE: database } }: Source,
  table: ArchivedTable,
) {
  const name = `${database}.${nameOf(table)}`;
  return cluster === undefined ? name : `${name}_local ON CLUSTER '${cluster}'`;
}

function settingsOf(applicationId: string) {
  return { ...ofApplication(applicationId), max_execution_time: requestMs / 1_000 };
}

export function nameOf({ entity }: ArchivedTable): string {
  return String(entity.options.tableName);
}

function literalOf(ms: number): string {
  return `${pg.escapeLiteral(new Date(ms).toISOString())}::timestamptz`;
}

/** The archive's columns and their text in TabSeparated: as COPY writes it, but for times and lists. */
function columnsOf({ entity, derived = {} }: ArchivedTable): (readonly [name: string, sql: string])[] {
  const own = columnList(entity).map((column) => [column.name.slice(1, -1), textOf(column)] as const);
  return [...own, ...Object.entries(derived).map(([name, { sql }]) => [name, sql] as const)];
}

function textOf({ name, type, isArray }: Column): string {
  const column = `r.${name}`;
  if (isArray)
    return `CASE WHEN cardinality(${column}) = 0 THEN '[]' ELSE '[''' || array_to_string(${column}, ''',''') || ''']' END`;
  return type === "timestamptz" ? `${column} AT TIME ZONE 'UTC'` : column;
}
