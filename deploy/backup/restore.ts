// Restores a backup into an empty installation in one transaction. A truncated or altered backup is rolled back completely.

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isDeepStrictEqual } from "node:util";
import { createZstdDecompress } from "node:zlib";
import { adoptedNames } from "@ems/kit/db/adopt";
import { withClient } from "@ems/kit/db/client";
import { migrate, migrationStatus, unknownMigrations } from "@ems/kit/db/migrate";
import { migrationName } from "@ems/kit/db/schema";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { schemas } from "../schemas.ts";
import {
  BackupError,
  countsShape,
  FrameReader,
  type Header,
  headerShape,
  type Manifest,
  manifestShape,
  parseFrame,
  tableShape,
} from "./format.ts";
import { columnList, type FoundTable, listTables } from "./tables.ts";

/** The restore locks every table, so running processes wait. It fails if it waits this long for a process's lock. */
const lockTimeoutMs = 30_000;

export interface Restored {
  readonly header: Header;
  readonly tables: Manifest["tables"];
}

/** Fills the owner's database, and then runs the migrations that the backup lacks. */
export async function restore(input: Readable, ownerUrl: string): Promise<Restored> {
  const restored = await readBackup(input, async (reader, header) => {
    await prepareSchemas(ownerUrl, header);
    return withClient(ownerUrl, (client) => fill(client, reader));
  });
  await migrate(ownerUrl, schemas);
  await withClient(ownerUrl, async (client) => {
    // Hide rows that are past the retention stored in the backup, before any process can read them.
    for (const schema of ["experiments", "traces"]) {
      await client.query(`SELECT ${schema}.hide_expired()`);
      await client.query(distrustArchive(`${schema}.archive_batch`));
    }
    // List the tables again, because migrations may have moved restored ones to another schema.
    const found = await listTables(
      client,
      schemas.map(({ name }) => name),
    );
    await client.query(`ANALYZE ${found.map(({ place }) => place).join(", ")}`);
  });
  return restored;
}

/**
 * Withdraws archive batches whose rows PostgreSQL still has, because ClickHouse's copy may be from another moment. The
 * rows are archived again under unused batch numbers. Rows that only ClickHouse has need ClickHouse's own backup.
 */
function distrustArchive(place: string): string {
  return `BEGIN; ALTER TABLE ${place} NO FORCE ROW LEVEL SECURITY;
    UPDATE ${place} SET state = 'withdrawn', changed_at = now() WHERE state IN ('open', 'published', 'restored');
    SELECT setval(pg_get_serial_sequence('${place}', 'number'), coalesce(max(number), 0) + 1000000) FROM ${place};
    ALTER TABLE ${place} FORCE ROW LEVEL SECURITY; COMMIT`;
}

/** Reads and verifies a backup without restoring it. */
export async function check(input: Readable): Promise<Restored> {
  return readBackup(input, async (reader) => {
    const ignore = async (data: AsyncIterable<Buffer>) => {
      let bytes = 0;
      for await (const chunk of data) bytes += chunk.length;
      return bytes;
    };
    const tables = await readTables(reader, async (_, data) => ({ bytes: await ignore(data), rows: undefined }));
    return { tables };
  });
}

async function readBackup<T>(
  input: Readable,
  read: (reader: FrameReader, header: Header) => Promise<T>,
): Promise<T & { header: Header }> {
  try {
    let result: (T & { header: Header }) | undefined;
    await pipeline(input, createZstdDecompress(), async (chunks: AsyncIterable<Buffer>) => {
      const reader = new FrameReader(chunks);
      await reader.begin();
      const header = adopted(await reader.expect("header", headerShape));
      assertNotNewer(header);
      result = { ...(await read(reader, header)), header };
    });
    if (result === undefined) throw new BackupError("The backup is truncated.");
    return result;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (/^(ZSTD|Z)_/.test(code)) throw new BackupError("This is not a backup, or it was truncated or altered.");
    throw error;
  }
}

/** Replaces the header's migrations from before the baseline with the baseline, which creates the same tables. */
function adopted(header: Header): Header {
  try {
    const migrations = Object.entries(header.migrations).map(([name, all]) => {
      const schema = schemas.find((candidate) => candidate.name === name);
      return [name, schema === undefined ? all : adoptedNames(schema, all)];
    });
    return { ...header, migrations: Object.fromEntries(migrations) };
  } catch (error) {
    throw new BackupError(`The backup is of version ${header.version}. ${(error as Error).message}`);
  }
}

function assertNotNewer({ version, migrations }: Header): void {
  const unknown = Object.entries(migrations).flatMap(([name, all]) => {
    const own = schemas.find((schema) => schema.name === name)?.migrations.map(migrationName) ?? [];
    return all.filter((migration) => !own.includes(migration)).map((migration) => `${name}: ${migration}`);
  });
  if (unknown.length === 0) return;
  throw new BackupError(
    `The backup is of a newer version (${version}), with migrations that this one does not have: ${unknown.join(", ")}.`,
  );
}

/** Creates the tables as they were in the version that wrote the backup. */
async function prepareSchemas(ownerUrl: string, { version, migrations }: Header): Promise<void> {
  const has = (schema: string, name: string) => migrations[schema]?.includes(name) ?? false;
  const newer = [
    ...(await unknownMigrations(ownerUrl, schemas)),
    ...(await migrationStatus(ownerUrl, schemas))
      .filter(({ schema, name, state }) => state === "done" && !has(schema, name))
      .map(({ schema, name }) => `${schema}: ${name}`),
  ];
  if (newer.length > 0) {
    throw new BackupError(
      `The database has migrations that the backup does not have: ${newer.join(", ")}. Restore into a database that was prepared but not ` +
        `migrated, or that version ${version} migrated; the restore then migrates it.`,
    );
  }
  const asBackedUp = schemas.map((schema) => ({
    ...schema,
    migrations: schema.migrations.filter((migration) => has(schema.name, migrationName(migration))),
  }));
  await migrate(ownerUrl, asBackedUp);
}

async function fill(client: pg.Client, reader: FrameReader): Promise<Pick<Restored, "tables">> {
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}; SET LOCAL statement_timeout = 0;
    SET LOCAL client_encoding = 'UTF8'; SET LOCAL datestyle = 'ISO, YMD'`);
  const found = await listTables(
    client,
    schemas.map(({ name }) => name),
  );
  // Let the owner write rows of every application. Disable triggers: the backup already contains the rows they derive.
  for (const { place } of found) {
    await client.query(`ALTER TABLE ${place} NO FORCE ROW LEVEL SECURITY, DISABLE TRIGGER USER`);
  }
  // Delete retention settings that an earlier process stored, so that the tables are empty; processes store them again.
  for (const { name, place } of found) if (name === "retention") await client.query(`DELETE FROM ${place}`);
  await assertEmpty(client, found);
  const byName = new Map(found.map((table) => [`${table.schema}.${table.name}`, table]));
  const tables = await readTables(reader, async (head, data) => {
    const table = byName.get(`${head.schema}.${head.name}`);
    if (table === undefined) throw new BackupError(`The backup has a table ${head.name} that the database lacks.`);
    if (head.months.length > 0) await client.query(`SELECT ${table.schema}.add_months($1)`, [monthsToAdd(head.months)]);
    const rows = client.query(copyFrom(`COPY ${table.place} (${columnList(head)}) FROM STDIN`));
    let bytes = 0;
    const counted = async function* () {
      for await (const chunk of data) {
        bytes += chunk.length;
        yield chunk;
      }
    };
    await pipeline(Readable.from(counted(), { objectMode: false }), rows);
    return { rows: rows.rowCount, bytes };
  });
  const missing = found.filter(({ schema, name }) => !tables.some(({ table }) => table === `${schema}.${name}`));
  if (missing.length > 0) throw new BackupError(`The backup lacks ${missing.map(({ place }) => place).join(", ")}.`);
  // Check deferred constraints now, because PostgreSQL cannot alter a table while checks are pending.
  await client.query("SET CONSTRAINTS ALL IMMEDIATE");
  for (const { place, isForced } of found) {
    await client.query(`ALTER TABLE ${place} ${isForced ? "FORCE ROW LEVEL SECURITY, " : ""}ENABLE TRIGGER USER`);
  }
  await client.query("COMMIT");
  return { tables };
}

/** Returns the fewest months to pass to add_months, which creates partitions for each month and the month after it. */
function monthsToAdd(months: readonly string[]): string[] {
  const next = (month: string) => Temporal.PlainDate.from(month).add({ months: 1 }).toString();
  const firsts = months.filter((month) => months.includes(next(month)));
  const made = new Set([...firsts, ...firsts.map(next)]);
  return [...firsts, ...months.filter((month) => !made.has(month))];
}

async function assertEmpty(client: pg.Client, tables: readonly FoundTable[]): Promise<void> {
  const filled: string[] = [];
  for (const { place } of tables) {
    const { rowCount } = await client.query(`SELECT FROM ${place} LIMIT 1`);
    if (rowCount !== 0) filled.push(place);
  }
  if (filled.length === 0) return;
  const suffix = filled.length > 3 ? ` and ${filled.length - 3} more` : "";
  throw new BackupError(
    `The database is not empty: ${filled.slice(0, 3).join(", ")}${suffix} have rows. Restore into an empty installation.`,
  );
}

/** Passes each table's data to `handle`, and compares the counts that it returns with those in the backup. */
async function readTables(
  reader: FrameReader,
  handle: (
    table: { schema: string; name: string; columns: string[]; months: string[] },
    data: AsyncIterable<Buffer>,
  ) => Promise<{ bytes: number; rows: number | undefined }>,
): Promise<Manifest["tables"]> {
  const read: Manifest["tables"] = [];
  for (;;) {
    const frame = await reader.next();
    if (frame.kind === "manifest") {
      const manifest = parseFrame(frame, "manifest", manifestShape);
      await reader.finish(manifest);
      if (!isDeepStrictEqual(manifest.tables, read)) throw new BackupError("The backup was altered.");
      return read;
    }
    const head = parseFrame(frame, "table", tableShape);
    const last = { frame };
    const data = async function* () {
      for (last.frame = await reader.next(); last.frame.kind === "data"; last.frame = await reader.next())
        yield last.frame.content;
    };
    const found = await handle(head, data());
    const counts = parseFrame(last.frame, "end", countsShape);
    if (found.bytes !== counts.bytes || (found.rows ?? counts.rows) !== counts.rows)
      throw new BackupError(
        `${head.schema}.${head.name} has ${found.rows} rows after the restore, not ${counts.rows}.`,
      );
    read.push({ table: `${head.schema}.${head.name}`, ...counts });
  }
}
