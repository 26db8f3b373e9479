// The archive's tables, made from the entities of PostgreSQL's. Repeated statements change nothing; columns of newer entities
// are added.

import { columnList } from "@ems/kit/db/columns";
import { columnType } from "./column-type.ts";
import type { ArchiveConfig } from "./config.ts";
import type { ArchivedTable } from "./kind.ts";

type Place = Pick<ArchiveConfig, "CLICKHOUSE_DATABASE" | "CLICKHOUSE_CLUSTER">;

/** DDL for one node, or for a cluster: `<table>_local` on every node and `<table>` over them, sharded by application. */
export function archiveDdl(tables: readonly ArchivedTable[], place: Place): string[] {
  const { CLICKHOUSE_DATABASE: database } = place;
  return [
    `CREATE DATABASE IF NOT EXISTS ${database}${onCluster(place)}`,
    ...tables.flatMap((table) => tableDdl(table, place)),
  ];
}

/**
 * Row policies, the second wall: whoever reads a table of the database sees the rows of the application that the query names in
 * `log_comment`, a setting that every server knows and that changes nothing; without one the query fails.
 */
export function archivePolicies(place: Place): string[] {
  return [
    `CREATE ROW POLICY IF NOT EXISTS application${onCluster(place)} ON ${place.CLICKHOUSE_DATABASE}.*
USING application_id = toUUID(getSetting('log_comment')) TO ALL`,
  ];
}

/** The columns of the archive's table, with their types. */
export function archiveColumns({ entity, derived = {} }: ArchivedTable): Record<string, string> {
  const { checks = [], tableName } = entity.options;
  const closedLists = new Set(checks.map(({ name }) => name));
  const own = columnList(entity).map((column) => {
    const name = column.name.slice(1, -1);
    const one = columnType(column).name;
    const some = column.isNullable && !column.isArray ? `Nullable(${one})` : one;
    const isClosedList = column.type === "text" && closedLists.has(`${tableName}_${name}_check`);
    return [name, isClosedList ? `LowCardinality(${some})` : some];
  });
  const others = Object.entries(derived).map(([name, { type }]) => [name, type]);
  return { ...Object.fromEntries([...own, ...others]), batch: "UInt32" };
}

function tableDdl(table: ArchivedTable, place: Place): string[] {
  const { CLICKHOUSE_DATABASE: database, CLICKHOUSE_CLUSTER: cluster } = place;
  const types = archiveColumns(table);
  const columns = Object.entries(types).map(([name, type]) => `${name} ${type}${codecOf(type)}`);
  const indices = table.lookups.map((name) =>
    types[name]?.startsWith("Array")
      ? `INDEX by_${name} ${membersOf(name)} TYPE text(tokenizer = 'array')`
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

/** What the index of a list has, which finds rows only by this expression: text indexes are of text. */
export function membersOf(list: string): string {
  return `arrayMap(one -> toString(one), ${list})`;
}

function onCluster({ CLICKHOUSE_CLUSTER: cluster }: Place): string {
  return cluster === undefined ? "" : ` ON CLUSTER '${cluster}'`;
}

function codecOf(type: string): string {
  if (/^(Array|(Nullable\()?String)/.test(type)) return " CODEC(ZSTD(3))";
  return type.startsWith("DateTime64") ? " CODEC(Delta, ZSTD)" : "";
}
