// Opens a local installation: data directory, secrets and a prepared database.

import { rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { migrateArchive } from "@ems/deploy/archive";
import { cannotConnect, databaseFailure } from "@ems/deploy/database-failure";
import { migratedText } from "@ems/deploy/migrated";
import { assertNoOtherInstallation } from "@ems/deploy/other-installation";
import { runningFile, runningUrl } from "@ems/deploy/running-database";
import { schemas } from "@ems/deploy/schemas";
import { localSecrets, type Secrets } from "@ems/deploy/secrets";
import { systemClock } from "@ems/kit/clock";
import { assertServerFits } from "@ems/kit/db/assert-server-fits";
import { migrate, unknownMigrations } from "@ems/kit/db/migrate";
import { ensureDatabase, maintenanceUrl, provisionDatabase, urlFor } from "@ems/kit/db/provision";
import { ownerRole } from "@ems/kit/db/schema";
import { assertServerSupported } from "@ems/kit/db/server-version";
import type { DeployConfig } from "./config.ts";
import { startEmbeddedPostgres } from "./postgres/embedded-postgres.ts";

export interface Installation {
  readonly secrets: Secrets;
  /** Returns the database URL for `role`. */
  readonly urlAs: (role: string) => string;
  /** Resolves with the reason if the embedded PostgreSQL ends unexpectedly. */
  readonly lost: Promise<string>;
  close(): Promise<void>;
}

/** Connections for migrations and commands, in addition to the services' connections. */
const ownConnections = 2;

type Print = (line: string) => void;

interface OpenOptions {
  /** True to run pending migrations and reject a database from a newer version. Default: true. */
  readonly migrates?: boolean;
  /** True to create roles and schemas that the running version lacks. */
  readonly prepares?: boolean;
  /** True to create new secrets for a database whose secrets are lost. */
  readonly replacesSecrets?: boolean;
  /** Number of connections that the services on this machine will open. */
  readonly connections?: number;
}

/** Opens the database in DATABASE_URL, else starts the embedded one, and creates roles, schemas and tables. */
export async function openInstallation(
  config: DeployConfig,
  print: Print,
  { migrates = true, replacesSecrets = false, connections = 0 }: OpenOptions = {},
): Promise<Installation> {
  const dataDir = resolve(config.DATA_DIR);
  const rolePrefix = config.DATABASE_ROLE_PREFIX;
  // Check first, so that nothing is written if the server is too old.
  const { DATABASE_URL: ownUrl } = config;
  if (ownUrl !== undefined) await explainFailure(ownUrl, assertServerSupported(maintenanceUrl(ownUrl)));
  const secrets = await localSecrets(dataDir, { replacesLost: replacesSecrets });
  const { adminUrl, lost, close } = await openServer(config, dataDir, print);
  try {
    // Check only the operator's own server: an embedded server never has another installation.
    if (config.DATABASE_URL !== undefined)
      await explainFailure(
        adminUrl,
        assertNoOtherInstallation(adminUrl, secrets.passwords, { mayRotate: false, rolePrefix }),
      );
    if (await ensureDatabase(adminUrl)) print("Created the database.");
    await assertServerFits(adminUrl, { connections: connections + ownConnections, clock: systemClock });
    await provisionDatabase(adminUrl, schemas, secrets.passwords, rolePrefix);
    const urlAs = (role: string) => urlFor(adminUrl, role, secrets.passwords, rolePrefix);
    const ownerUrl = urlAs(ownerRole);
    if (migrates) await assertNotNewer(ownerUrl);
    const ran = migrates ? await migrate(ownerUrl, schemas) : [];
    if (ran.length > 0) print(migratedText(ran));
    // Print a failure only, because the product also works without ClickHouse.
    if (migrates) await migrateArchive(config, () => {}).catch((error: Error) => print(error.message));
    return { secrets, lost, urlAs, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Adds DATABASE_URL to the error if its server cannot be reached. */
async function explainFailure(adminUrl: string, check: Promise<void>): Promise<void> {
  await check.catch((error: unknown) => {
    throw cannotConnect(error) ? databaseFailure("DATABASE_URL", adminUrl, error) : error;
  });
}

/** Rejects a newer version's schema. Only clusters must tolerate one newer version, during a rolling update. */
async function assertNotNewer(ownerUrl: string): Promise<void> {
  const unknown = await unknownMigrations(ownerUrl, schemas);
  if (unknown.length === 0) return;
  throw new Error(
    `the database is of a newer version, with migrations that this version lacks: ${unknown.join(", ")}. Start that version, or ` +
      "restore an older backup.",
  );
}

/** Uses the database of a running installation, else starts the database until `close`. For commands. */
export async function joinInstallation(
  config: DeployConfig,
  print: Print,
  options?: OpenOptions,
): Promise<Installation> {
  const dataDir = resolve(config.DATA_DIR);
  const running = config.DATABASE_URL === undefined ? await runningUrl(dataDir) : undefined;
  if (running === undefined) return openInstallation(config, print, options);
  const secrets = await localSecrets(dataDir);
  const rolePrefix = config.DATABASE_ROLE_PREFIX;
  if (options?.prepares) await provisionDatabase(running, schemas, secrets.passwords, rolePrefix);
  return {
    secrets,
    lost: new Promise(() => undefined),
    urlAs: (role) => urlFor(running, role, secrets.passwords, rolePrefix),
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
  let isClosing = false;
  return {
    adminUrl,
    lost: postgres.exited.then(({ lastLog }) =>
      isClosing ? new Promise<string>(() => undefined) : `PostgreSQL ended unexpectedly: ${lastLog}`,
    ),
    close: async () => {
      isClosing = true;
      await rm(runningFile(dataDir), { force: true });
      await postgres.stop();
    },
  };
}
