// `npm run migrate`: brings the database up to date. `npm run migrate -- status` tells what has run and what is pending,
// `npm run migrate -- --dry-run` runs what is pending and takes it back. With OWNER_DATABASE_URL it works there, as that
// role (a cluster's Job); otherwise on this installation's database, prepared as `npm start` does.

import { parseArgs } from "node:util";
import { migrate, migrationStatus, tryMigrations } from "@ems/kit/db/migrate";
import { ownerRole } from "@ems/kit/db/schema";
import { deployConfig } from "./config.ts";
import { joinInstallation } from "./installation.ts";
import { schemas } from "./schemas.ts";

const tell = (sentence: string) => process.stderr.write(`${sentence}\n`);

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { "dry-run": { type: "boolean", default: false } },
  });
  const [command, ...rest] = positionals;
  if ((command !== undefined && command !== "status") || rest.length > 0) {
    throw new Error(`there is no "${positionals.join(" ")}"; only status and --dry-run`);
  }
  const work = command === "status" ? showStatus : values["dry-run"] ? dryRun : run;
  const ownerUrl = process.env.OWNER_DATABASE_URL;
  if (ownerUrl) {
    await work(ownerUrl);
  } else {
    const installation = await joinInstallation(deployConfig(process.env), tell, { migrates: false });
    try {
      await work(installation.urlAs(ownerRole));
    } finally {
      await installation.close();
    }
  }
} catch (error) {
  tell(`Cannot migrate: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

async function run(ownerUrl: string): Promise<void> {
  const ran = await migrate(ownerUrl, schemas);
  tell(ran.length > 0 ? `Migrated: ${ran.join(", ")}.` : "The database is up to date.");
}

async function dryRun(ownerUrl: string): Promise<void> {
  const tried = await tryMigrations(ownerUrl, schemas);
  tell(tried.length > 0 ? `Would migrate: ${tried.join(", ")}. Nothing was changed.` : "The database is up to date.");
}

/** A line a migration: state, schema, name. */
async function showStatus(ownerUrl: string): Promise<void> {
  for (const { state, schema, name } of await migrationStatus(ownerUrl, schemas)) {
    process.stdout.write(`${state.padEnd(8)} ${schema.padEnd(14)} ${name}\n`);
  }
}
