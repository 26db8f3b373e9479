// ClickHouse tables of the archive, generated from PostgreSQL's entities. The statements are idempotent and add columns
// of newer entities.

import { columnList } from "@ems/kit/db/columns";
import { columnType } from "./column-type.ts";
import type { ArchiveConfig } from "./config.ts";
import type { ArchivedTable } from "./kind.ts";

type Place = Pick<ArchiveConfig, "CLICKHOUSE_DATABASE" | "CLICKHOUSE_CLUSTER">;

/**
 * DDL for one node, or for a cluster: `<table>_local` on every node and `<table>` over them, sharded by application.
 */
export function archiveDdl(tables: readonly ArchivedTable[], place: Place): string[] {
  const { CLICKHOUSE_DATABASE: database } = place;
  return [
    `CREATE DATABASE IF NOT EXISTS ${database}${onCluster(place)}`,
    ...tables.flatMap((table) => tableDdl(table, place)),
  ];
}

/**
 * Row policies, the second line of defense. A query reads only the rows of the application that it names in
 * `log_comment`, a setting that every server knows and that has no other effect. Without this setting the query fails.
 */
export function archivePolicies(place: Place): string[] {
  return [
    `CREATE ROW POLICY IF NOT EXISTS application${onCluster(place)} ON ${place.CLICKHOUSE_DATABASE}.*
USING application_id = toUUID(getSetting('log_comment')) TO ALL`,
  ];
}

/** Returns the columns of the archive's table, with their types. */
export function archiveColumns({ entity, derived = {} }: ArchivedTable): Record<string, string> {
  const { checks = [], tableName } = entity.options;
  const closedLists = new Set(checks.map(({ name }) => name));
  const own = columnList(entity).map((column) => {
    const name = column.name.slice(1, -1);
    const base = columnType(column).name;
    const type = column.isNullable && !column.isArray ? `Nullable(${base})` : base;
    const isClosedList = column.type === "text" && closedLists.has(`${tableName}_${name}_check`);
    return [name, isClosedList ? `LowCardinality(${type})` : type];
  });
  const derivedColumns = Object.entries(derived).map(([name, { type }]) => [name, type]);
  return { ...Object.fromEntries([...own, ...derivedColumns]), batch: "UInt32" };
}

function tableDdl(table: ArchivedTable, place: Place): string[] {
  const { CLICKHOUSE_DATABASE: database, CLICKHOUSE_CLUSTER: cluster } = place;
  const types = archiveColumns(table);
  const columns = Object.entries(types).map(([name, type]) => `${name} ${type}${getCodec(type)}`);
  const indices = table.lookups.map((name) =>
    types[name]?.startsWith("Array")
      ? `INDEX by_${name} ${buildMembersExpression(name)} TYPE text(tokenizer = 'array')`
      : `INDEX by_${name} ${name} TYPE bloom_filter GRANULARITY 1`,
  );
  const name = `${database}.${String(table.entity.options.tableName)}`;
  const stored = cluster === undefined ? name : `${name}_local`;
  const engine =
    cluster === undefined
      ? "MergeTree"
      : `ReplicatedMergeTree('/clickhouse/tables/{shard}/${stored.replace(".", "/")}', '{replica}')`;
  const settings = table.granularity === undefined ? "" : `\nSETTINGS index_granularity = ${table.granularity}`;
  const add = (target: string, parts: readonly string[]) =>
    `ALTER TABLE ${target}${onCluster(place)} ${parts.join(", ")}`;
  const newColumns = columns.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`);
  return [
    `CREATE TABLE IF NOT EXISTS ${stored}${onCluster(place)} (\n  ${[...columns, ...indices].join(",\n  ")}\n)
ENGINE = ${engine} PARTITION BY toYYYYMM(created_at)
ORDER BY (${["application_id", "created_at", ...table.order].join(", ")})${settings}`,
    add(stored, [...newColumns, ...indices.map((index) => `ADD ${index.replace("INDEX", "INDEX IF NOT EXISTS")}`)]),
    ...(cluster === undefined
      ? []
      : [
          `CREATE TABLE IF NOT EXISTS ${name}${onCluster(place)} AS ${stored}
ENGINE = Distributed('${cluster}', '${database}', '${stored.slice(database.length + 1)}', cityHash64(application_id))`,
          add(
            name,
            newColumns.map((column) => column.replace(/ CODEC\(.*\)$/, "")),
          ),
        ]),
  ];
}

/** SQL: the indexed expression of a list column. Queries must use the same one. Text indexes accept only text. */
export function buildMembersExpression(list: string): string {
  return `arrayMap(one -> toString(one), ${list})`;
}

function onCluster({ CLICKHOUSE_CLUSTER: cluster }: Place): string {
  return cluster === undefined ? "" : ` ON CLUSTER '${cluster}'`;
}

function getCodec(type: string): string {
  if (/^(Array|(Nullable\()?String)/.test(type)) return " CODEC(ZSTD(3))";
  return type.startsWith("DateTime64") ? " CODEC(Delta, ZSTD)" : "";
}
