// The two stores of an archived application: their rows, bytes on disk, and the progress of archiving.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { until } from "@ems/dev/until";
import { startClickhouse } from "@ems/test-support/clickhouse";
import pg from "pg";
import { chdb } from "../../harness/clickhouse.ts";
import type { Ground } from "../ground.ts";
import type { Side } from "../sides.ts";

const stuckMs = 300_000;

const getSchema = (table: string) => (table.startsWith("trace") ? "traces" : "experiments");

/** Tables of PostgreSQL for each table of the archive. */
const postgresTables: Readonly<Record<string, readonly string[]>> = {
  test: ["test"],
  evaluation: ["evaluation"],
  trace: ["trace", "trace_words", "trace_metadata"],
  trace_step: ["trace_step"],
};

/** Higher than any batch number of the year. */
const batchesMax = 1_000_000;

/** Columns that differ in each copy of a row: times, and ids with a digit that the year's rows do not use. */
const repeated: Readonly<Record<string, { readonly ids: readonly string[]; readonly times: readonly string[] }>> = {
  test: { ids: ["id"], times: ["created_at"] },
  evaluation: { ids: ["id", "test_id"], times: ["created_at"] },
  trace: { ids: ["id"], times: ["created_at", "timestamp", "modified_at"] },
  trace_step: { ids: ["trace_id"], times: ["created_at", "timestamp", "month"] },
};

function getCopy(table: string, { ids, times }: { ids: readonly string[]; times: readonly string[] }, copy: number) {
  const digits = copy.toString(16).padStart(3, "0");
  const changes = [
    ...ids.map(
      (id) => `toUUID(concat(substring(toString(${id}), 1, 20), '${digits}', substring(toString(${id}), 24))) AS ${id}`,
    ),
    ...times.map((time) => `${time} - toIntervalDay(${365 * copy}) AS ${time}`),
    `batch + ${batchesMax * copy} AS batch`,
  ];
  return `INSERT INTO ems.${table} SELECT * REPLACE (${changes.join(", ")}) FROM ems.${table} WHERE batch < ${batchesMax}`;
}

const copyOfBatches = (schema: string) => `
  INSERT INTO ${schema}.archive_batch OVERRIDING SYSTEM VALUE
  SELECT (jsonb_populate_record(b, jsonb_build_object('number', b.number + $2::integer,
    'starts', b.starts - $1::integer * interval '1 day', 'ends', b.ends - $1::integer * interval '1 day'))).*
  FROM ${schema}.archive_batch b WHERE b.number < $3::integer AND b.state = 'dropped'`;

/** Rows and bytes on disk of each ClickHouse table. */
export type Stored = ReadonlyMap<string, { readonly rows: number; readonly bytes: number }>;

export async function openStores(ground: Ground, { adminUrl, tenant }: Side, stack: AsyncDisposableStack) {
  const url = await startEngine(ground, stack);
  const database = new pg.Client({ connectionString: adminUrl, options: "-c timezone=UTC" });
  await database.connect();
  stack.defer(() => database.end());
  const number = async (text: string, values: readonly unknown[] = []) =>
    Number((await database.query<{ n: string | null }>(text, [...values])).rows[0]?.n ?? 0);

  return {
    clickhouseUrl: url,
    /** Returns the number of rows, all of which are old enough to be archived. */
    rows: async () => {
      const counts = Object.keys(postgresTables).map((table) => `(SELECT count(*) FROM ${getSchema(table)}.${table})`);
      return number(`SELECT ${counts.join(" + ")} AS n`);
    },
    /** Returns the ids of a trace and a test in the middle of the year. */
    ids: async () => {
      const of = async (table: string) => {
        const text = `SELECT id FROM ${getSchema(table)}.${table} WHERE application_id = $1 AND created_at > '2026-05-01'
          ORDER BY created_at LIMIT 1`;
        const { rows } = await database.query<{ id: string }>(text, [tenant.applicationId]);
        return rows[0]?.id ?? "";
      };
      return { traceId: await of("trace"), testId: await of("test") };
    },
    postgresBytes: async () => {
      const size = "sum(pg_total_relation_size(coalesce(p.relid, c.oid)))";
      const text = `SELECT ${size} AS n FROM pg_class c LEFT JOIN pg_partition_tree(c.oid) p ON c.relkind = 'p'
        WHERE c.oid = ANY ($1::regclass[])`;
      const bytes = new Map<string, number>();
      for (const [table, names] of Object.entries(postgresTables))
        bytes.set(table, await number(text, [names.map((name) => `${getSchema(name)}.${name}`)]));
      return bytes;
    },
    clickhouseBytes: async (): Promise<Stored> => {
      const rows = await run(
        url,
        `SELECT table, sum(rows), sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'ems' AND rows > 0
         GROUP BY table ORDER BY table`,
      );
      return new Map(
        rows.map(([table = "", count, bytes]) => [table, { rows: Number(count), bytes: Number(bytes) }] as const),
      );
    },
    vacuum: () => database.query("VACUUM (ANALYZE)"),
    /** Repeats ClickHouse's year that many times in the years before it, as archived batches. */
    repeat: async (times: number) => {
      for (let copy = 1; copy <= times; copy++) {
        for (const [table, columns] of Object.entries(repeated)) await run(url, getCopy(table, columns, copy));
        for (const schema of ["experiments", "traces"])
          await database.query(copyOfBatches(schema), [365 * copy, batchesMax * copy, batchesMax]);
      }
      for (const table of Object.keys(repeated)) await run(url, `OPTIMIZE TABLE ems.${table}`);
    },
    /** Waits until that many rows are archived; fails if archiving makes no progress for a while. */
    reach: async (rows: number) => {
      let [found, since] = [0, performance.now()];
      const isDone = async () => {
        const now = await number(`SELECT sum(rows) AS n FROM (SELECT * FROM experiments.archive_batch UNION ALL
          SELECT * FROM traces.archive_batch) b WHERE state = 'dropped'`);
        if (now !== found) [found, since] = [now, performance.now()];
        if (performance.now() - since > stuckMs)
          throw new Error(`${found} of ${rows} rows were archived, and no more are`);
        return found >= rows;
      };
      await until(isDone, Number.POSITIVE_INFINITY);
    },
  };
}

/** Starts ClickHouse's engine behind HTTP, with its data directory next to the product's. */
export async function startEngine({ dataDir }: Ground, stack: AsyncDisposableStack): Promise<string> {
  const folder = join(dataDir, "..", "clickhouse");
  await mkdir(folder, { recursive: true });
  const { url, kill } = await startClickhouse(await chdb(), folder);
  stack.defer(kill);
  return url;
}

async function run(url: string, text: string): Promise<string[][]> {
  const answer = await fetch(url, { method: "POST", body: text });
  const lines = await answer.text();
  if (!answer.ok) throw new Error(`${text}: ${lines}`);
  return lines
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split("\t"));
}
