// A local installation: its data directory, its secrets, and a database that is ready for the services.

import { rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { refuseOtherInstallation } from "@ems/deploy/other-installation";
import { runningFile, runningUrl } from "@ems/deploy/running-database";
import { schemas } from "@ems/deploy/schemas";
import { localSecrets, type Secrets } from "@ems/deploy/secrets";
import { migrate } from "@ems/kit/db/migrate";
import { prepareCluster, prepareDatabase, urlFor } from "@ems/kit/db/prepare";
import { ownerRole } from "@ems/kit/db/schema";
import type { DeployConfig } from "./config.ts";
import { startEmbeddedPostgres } from "./postgres/embedded-postgres.ts";

export interface Installation {
  readonly secrets: Secrets;
  /** The database as `role`. */
  readonly urlAs: (role: string) => string;
  /** Ends early only when the embedded PostgreSQL ended by itself; says why. */
  readonly lost: Promise<string>;
  close(): Promise<void>;
}

type Print = (line: string) => void;

interface OpenOptions {
  /** Whether tables are brought up to date; without, there may be none. */
  readonly migrates: boolean;
}

/** Brings up the database (embedded, unless DATABASE_URL names one), with roles, schemas and migrations. */
export async function openInstallation(
  config: DeployConfig,
  print: Print,
  { migrates }: OpenOptions = { migrates: true },
): Promise<Installation> {
  const dataDir = resolve(config.DATA_DIR);
  const secrets = await localSecrets(dataDir);
  const { adminUrl, lost, close } = await openServer(config, dataDir, print);
  try {
    // The embedded server is nobody else's.
    if (config.DATABASE_URL !== undefined)
      await refuseOtherInstallation(adminUrl, secrets.passwords, { mayRotate: false });
    if (await prepareCluster(adminUrl)) print("Created the database.");
    await prepareDatabase(adminUrl, schemas, secrets.passwords);
    const ran = migrates ? await migrate(urlFor(adminUrl, ownerRole, secrets.passwords), schemas) : [];
    if (ran.length > 0) print(`Migrated: ${ran.join(", ")}.`);
    return { secrets, lost, urlAs: (role) => urlFor(adminUrl, role, secrets.passwords), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A running installation's database when there is one, else one brought up for the while. For short commands. */
export async function joinInstallation(
  config: DeployConfig,
  print: Print,
  options?: OpenOptions,
): Promise<Installation> {
  const dataDir = resolve(config.DATA_DIR);
  const running = config.DATABASE_URL === undefined ? await runningUrl(dataDir) : undefined;
  if (running === undefined) return openInstallation(config, print, options);
  const secrets = await localSecrets(dataDir);
  return {
    secrets,
    lost: new Promise(() => undefined),
    urlAs: (role) => urlFor(running, role, secrets.passwords),
    close: async () => undefined,
  };
}

async function openServer({ DATABASE_URL }: DeployConfig, dataDir: string, print: Print) {
  if (DATABASE_URL !== undefined) {
    return { adminUrl: DATABASE_URL, lost: new Promise<string>(() => undefined), close: async () => undefined };
  }
  const postgres = await startEmbeddedPostgres({ dataDir, onProgress: print });
  const adminUrl = new URL("/ems", postgres.url).href;
  await writeFile(runningFile(dataDir), JSON.stringify({ pid: process.pid, adminUrl }), { mode: 0o600 });
  let closing = false;
  return {
    adminUrl,
    lost: postgres.exited.then(({ lastLog }) =>
      closing ? new Promise<string>(() => undefined) : `PostgreSQL ended by itself: ${lastLog}`,
    ),
    close: async () => {
      closing = true;
      await rm(runningFile(dataDir), { force: true });
      await postgres.stop();
    },
  };
}
