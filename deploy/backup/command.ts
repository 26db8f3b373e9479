// The commands `backup` and `restore`.

import { constants, createReadStream } from "node:fs";
import { access, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { getExitCode, readCommandLine, UsageError } from "../command-line.ts";
import { openDump } from "./dump.ts";
import { check, type Restored, restore } from "./restore.ts";

const backupHelp = `
backup [FILE]   writes every row of every service, as of one moment, to FILE or stdout

  FILE            a new file, or a directory; in a directory, the file is named by time
  --keep NUMBER   in a directory: keeps the newest backups and deletes the others

Reads the database of BACKUP_DATABASE_URL, or of the installation in DATA_DIR. A backup does not contain the installation's secrets.`;

const restoreHelp = `
restore [FILE]   restores a backup from FILE or stdin into an empty installation, and migrates it

  --check          only reads the backup to its end and prints a summary

Writes to the database of OWNER_DATABASE_URL, or of the installation in DATA_DIR. Stop every process of the product first.`;

const secretsNote =
  "Start it with the secrets of the original installation (secrets.json, or API_KEY_PEPPERS and SEALING_KEYS). Without\n" +
  "them, no API key is valid and no sealed value can be opened.";

export interface OpenedDatabase {
  readonly url: string;
  close(): Promise<void>;
}

const print = (line: string) => process.stderr.write(`${line}\n`);

/** Runs `backup` and returns its exit code. */
export async function runBackup(openDatabase: () => Promise<OpenedDatabase>): Promise<number> {
  return reported("back up", async () => {
    const { values, positionals } = readCommandLine(backupHelp, {
      allowPositionals: true,
      options: { keep: { type: "string" } },
    });
    const [target, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError("at most one FILE is allowed");
    const isDirectory = target !== undefined && (await isFolder(target));
    const keep = values.keep === undefined ? undefined : Number(values.keep);
    if (keep !== undefined && !(isDirectory && Number.isInteger(keep) && keep > 0))
      throw new UsageError("--keep requires a directory and a number from 1");
    if (target === undefined && process.stdout.isTTY)
      throw new UsageError("stdout is a terminal: name a FILE or redirect stdout");
    const { url, close } = await openDatabase();
    try {
      const startedAt = performance.now();
      const dump = await openDump(url);
      const { takenAt } = dump.header;
      const file = isDirectory ? join(target, `ems-${takenAt.replaceAll(/[-:]|\.\d+/g, "")}.backup`) : target;
      const write = (output: Writable) => pipeline(Readable.from(dump.chunks), createZstdCompress(), output);
      try {
        await (file === undefined ? write(process.stdout) : writeFile(file, write));
      } finally {
        await dump.close();
      }
      print(`Backed up ${formatContent(dump)} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
      printDropped(dump, "back up ClickHouse right after this backup");
      if (isDirectory && keep !== undefined) await deleteOlder(target, keep);
    } finally {
      await close();
    }
  });
}

/** Runs `restore` and returns its exit code. */
export async function runRestore(openDatabase: () => Promise<OpenedDatabase>): Promise<number> {
  return reported("restore", async () => {
    const { values, positionals } = readCommandLine(restoreHelp, {
      allowPositionals: true,
      options: { check: { type: "boolean", default: false } },
    });
    const [file, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError("at most one FILE is allowed");
    if (file === undefined && process.stdin.isTTY)
      throw new UsageError("stdin is a terminal: name a FILE or use a pipe");
    if (file !== undefined)
      await access(file, constants.R_OK).catch((error: Error) => {
        throw new UsageError(`${file} cannot be read: ${error.message}`);
      });
    const input = () => (file === undefined ? process.stdin : createReadStream(file));
    if (values.check) {
      const checked = await check(input());
      print(`The backup is complete: ${formatContent(checked)}.`);
      printDropped(checked, "restore them from ClickHouse's own backup");
      return;
    }
    const { url, close } = await openDatabase();
    try {
      const restored = await restore(input(), url);
      print(`Restored ${formatContent(restored)}.\n${secretsNote}`);
      printDropped(restored, "run ems archive verify to check that ClickHouse has them");
    } finally {
      await close();
    }
  });
}

async function reported(what: string, work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    print(`Cannot ${what}: ${error instanceof Error ? error.message : String(error)}`);
    return getExitCode(error);
  }
}

function formatContent({ header, tables }: Restored): string {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0).toLocaleString("en");
  const bytes = sum(tables.map((table) => table.bytes));
  return `${sum(tables.map(({ rows }) => rows))} rows of ${tables.length} tables (${bytes} bytes) as of ${header.takenAt}, version ${header.version}`;
}

function printDropped({ header: { dropped } }: Pick<Restored, "header">, advice: string): void {
  if (dropped === undefined || dropped.batches === 0) return;
  const [batches, rows] = [dropped.batches, dropped.rows].map((number) => number.toLocaleString("en"));
  const { last, lasts } = dropped;
  const numbers =
    lasts === undefined
      ? `Its last batch is ${last}`
      : `Its last batches are ${Object.entries(lasts)
          .map(([schema, number]) => `${number} of ${schema}`)
          .join(" and ")}`;
  print(`Not included: ${rows} rows of ${batches} batches that exist only in the archive: ${advice}. ${numbers}.`);
}

/** Writes to a temporary file first and renames it, so that an incomplete backup never has the final name. */
async function writeFile(file: string, write: (output: Writable) => Promise<void>): Promise<void> {
  if (await stat(file).catch(() => undefined)) throw new UsageError(`${file} exists: name a new file`);
  const draft = `${file}.part`;
  try {
    const handle = await open(draft, "w", 0o600);
    await write(handle.createWriteStream({ flush: true }));
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function deleteOlder(directory: string, keep: number): Promise<void> {
  const backups = (await readdir(directory)).filter((name) => /^ems-\d{8}T\d{6}Z\.backup$/.test(name)).sort();
  for (const name of backups.slice(0, -keep)) {
    await rm(join(directory, name));
    print(`Deleted ${name}.`);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
