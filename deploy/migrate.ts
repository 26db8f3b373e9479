// `migrate`: migrates the database, and the archive if one is configured. `migrate status` lists migrations with their
// state. `migrate --dry-run` runs pending migrations in a transaction and rolls it back.

import { dryRunMigrations, migrate, migrationStatus, unknownMigrations } from "@ems/kit/db/migrate";
import { archiveStatements, migrateArchive } from "./archive.ts";
import { getExitCode, readCommandLine, UsageError } from "./command-line.ts";
import { archiveSettings } from "./config.ts";
import { migratedText } from "./migrated.ts";
import type { OpenOwnerDatabase } from "./owner-database.ts";
import { schemas } from "./schemas.ts";

const help = `
migrate             runs pending migrations
migrate status      prints a line for each migration: done, pending, or unknown to this version
migrate --dry-run   runs pending ones in a transaction and rolls it back
migrate archive     prints the statements for ClickHouse (CLICKHOUSE_URL) without running them

Uses OWNER_DATABASE_URL and waits DATABASE_WAIT_SECONDS (default 60) for it, or uses the installation in DATA_DIR.`;

const print = (line: string) => process.stderr.write(`${line}\n`);

/** Runs the command and returns its exit code. */
export async function runMigrate(open: OpenOwnerDatabase): Promise<number> {
  try {
    const action = parseAction();
    if (action === "archive") {
      for (const statement of archiveStatements(archiveSettings(process.env))) process.stdout.write(`${statement};\n`);
      return 0;
    }
    const { ownerUrl, close } = await open();
    try {
      await action(ownerUrl);
      return 0;
    } finally {
      await close();
    }
  } catch (error) {
    print(`Cannot migrate: ${error instanceof Error ? error.message : String(error)}`);
    return getExitCode(error);
  }
}

function parseAction(): "archive" | ((ownerUrl: string) => Promise<void>) {
  const { values, positionals } = readCommandLine(help, {
    allowPositionals: true,
    options: { "dry-run": { type: "boolean", default: false } },
  });
  const [command, ...rest] = positionals;
  if ((command !== undefined && command !== "status" && command !== "archive") || rest.length > 0) {
    throw new UsageError(`unknown argument "${positionals.join(" ")}"; use status, archive or --dry-run`);
  }
  if (command === "archive") return command;
  return command === "status" ? printStatus : values["dry-run"] ? dryRun : run;
}

async function run(ownerUrl: string): Promise<void> {
  const ran = await migrate(ownerUrl, schemas);
  print(ran.length > 0 ? migratedText(ran) : "The database is up to date.");
  const unknown = await unknownMigrations(ownerUrl, schemas);
  if (unknown.length > 0)
    print(
      `The database has migrations of a newer version, with which this version's processes are compatible: ${unknown.join(", ")}.`,
    );
  await migrateArchive(archiveSettings(process.env), print);
}

async function dryRun(ownerUrl: string): Promise<void> {
  const tried = await dryRunMigrations(ownerUrl, schemas);
  print(tried.length > 0 ? `Would migrate: ${tried.join(", ")}. Nothing was changed.` : "The database is up to date.");
}

/** Prints a line for each migration: state, schema, name. */
async function printStatus(ownerUrl: string): Promise<void> {
  for (const { state, schema, name } of await migrationStatus(ownerUrl, schemas)) {
    process.stdout.write(`${state.padEnd(8)} ${schema.padEnd(14)} ${name}\n`);
  }
}
