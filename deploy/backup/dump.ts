// Writes a backup of every table as of one snapshot. One connection holds the snapshot and locks no table. Another
// copies the tables, each in its own transaction on that snapshot, so that a table is locked only while it is read.

import { createHash } from "node:crypto";
import { backupRole } from "@ems/kit/db/backup-role";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import manifest from "../package.json" with { type: "json" };
import { schemas } from "../schemas.ts";
import { BackupError, type Counts, formatLine, frameHead, type Header, jsonFrame, type Manifest } from "./format.ts";
import { columnList, type FoundTable, listTables } from "./tables.ts";

/** Starts a read-only transaction without the time limits of the role and the server, because a backup takes long. */
const begin = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL datestyle = 'ISO, YMD';
  SET LOCAL timezone = 'UTC';
  SET LOCAL client_encoding = 'UTF8'`;

export interface Dump {
  readonly header: Header;
  /** Row and byte counts of each table. Complete once the last chunk has been read. */
  readonly tables: Manifest["tables"];
  /** The uncompressed backup. */
  readonly chunks: AsyncIterable<Buffer>;
  close(): Promise<void>;
}

interface Point {
  readonly id: string;
  readonly snapshot: string;
  readonly takenAt: Date;
  readonly takenBy: Date;
  readonly postgres: string;
}

/** Opens a snapshot and returns the backup's header and content. */
export async function openDump(url: string): Promise<Dump> {
  const [holder, reader] = [newClient(url), newClient(url)];
  const close = async () => {
    for (const client of [holder, reader]) await client.end().catch(() => undefined);
  };
  try {
    await holder.connect();
    await reader.connect();
    await holder.query(begin);
    const { rows } = await holder.query<Point>(
      `SELECT pg_export_snapshot() AS id, pg_current_snapshot()::text AS snapshot, now() AS "takenAt",
         clock_timestamp() AS "takenBy", current_setting('server_version') AS postgres`,
    );
    const [point] = rows;
    if (point === undefined) throw new Error("PostgreSQL returned no snapshot");
    const found = await listTables(
      holder,
      schemas.map(({ name }) => name),
    );
    assertReadable(found);
    const { id, snapshot, postgres } = point;
    const header: Header = {
      version: manifest.version,
      takenAt: point.takenAt.toISOString(),
      // Round up to the next millisecond, because a Date drops PostgreSQL's microseconds.
      takenBy: new Date(point.takenBy.getTime() + 1).toISOString(),
      snapshot,
      postgres,
      migrations: await readMigrations(holder),
      dropped: await countDropped(holder, found),
    };
    const tables: { table: string; rows: number; bytes: number }[] = [];
    const copy = async function* (table: FoundTable): AsyncGenerator<Buffer> {
      const { schema, name, columns, months } = table;
      yield jsonFrame("table", { schema, name, columns, months });
      const counts = yield* copyRows(reader, id, table);
      yield jsonFrame("end", counts);
      tables.push({ table: `${schema}.${name}`, ...counts });
    };
    return { header, tables, chunks: hashed(header, found, copy, tables), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function* hashed(
  header: Header,
  found: readonly FoundTable[],
  copy: (table: FoundTable) => AsyncIterable<Buffer>,
  tables: Manifest["tables"],
): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  const all = async function* () {
    yield formatLine;
    yield jsonFrame("header", header);
    for (const table of found) yield* copy(table);
  };
  for await (const chunk of all()) {
    hash.update(chunk);
    yield chunk;
  }
  yield jsonFrame("manifest", { tables, sha256: hash.digest("hex") } satisfies Manifest);
}

/** Yields the table's rows as frames of the backup, and returns their counts. */
async function* copyRows(client: pg.Client, snapshot: string, table: FoundTable): AsyncGenerator<Buffer, Counts> {
  await client.query(begin);
  await client.query(`SET TRANSACTION SNAPSHOT ${client.escapeLiteral(snapshot)}`);
  const rows = client.query(copyTo(`COPY (SELECT ${columnList(table)} FROM ${table.place}) TO STDOUT`));
  let bytes = 0;
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    yield frameHead("data", chunk.length);
    yield chunk;
  }
  await client.query("COMMIT");
  return { rows: rows.rowCount, bytes };
}

async function readMigrations(client: pg.Client): Promise<Header["migrations"]> {
  const migrations: Record<string, string[]> = {};
  for (const { name } of schemas) {
    const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${name}.migration ORDER BY timestamp, id`);
    migrations[name] = rows.map((row) => row.name);
  }
  return migrations;
}

async function countDropped(client: pg.Client, tables: readonly FoundTable[]): Promise<Header["dropped"]> {
  const places = tables.filter(({ name }) => name === "archive_batch");
  if (places.length === 0) return undefined;
  const counts = places.map(
    ({ schema, place }) => `SELECT '${schema}' AS schema, count(*) FILTER (WHERE state = 'dropped')::int AS batches,
      coalesce(sum(rows) FILTER (WHERE state = 'dropped'), 0)::float8 AS rows, coalesce(max(number), 0) AS last FROM ${place}`,
  );
  const { rows: found } = await client.query<{ schema: string; batches: number; rows: number; last: number }>(
    counts.join(" UNION ALL "),
  );
  const sumUp = (key: "batches" | "rows") => found.reduce((sum, counts) => sum + counts[key], 0);
  return {
    batches: sumUp("batches"),
    rows: sumUp("rows"),
    last: Math.max(...found.map(({ last }) => last)),
    lasts: Object.fromEntries(found.map(({ schema, last }) => [schema, last])),
  };
}

function assertReadable(tables: readonly FoundTable[]): void {
  if (tables.length === 0) throw new BackupError("The database has no tables of the product.");
  const hidden = tables.filter(({ isReadable }) => !isReadable).map(({ place }) => place);
  if (hidden.length === 0) return;
  throw new BackupError(
    `The role cannot read every row of ${hidden.slice(0, 3).join(", ")}${hidden.length > 3 ? ` and ${hidden.length - 3} more` : ""}: ` +
      `connect as ${backupRole}, which prepare creates and migrate grants read access.`,
  );
}

function newClient(connectionString: string): pg.Client {
  const client = new pg.Client({
    connectionString,
    application_name: "ems-backup",
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // An unhandled error event would end the process. The running statement also reports a lost connection.
  client.on("error", () => undefined);
  return client;
}
