// Finds the data directory and the database URLs, by role, for operator commands.

import { resolve } from "node:path";
import { installationConfig } from "@ems/deploy/config";
import { runningUrl } from "@ems/deploy/running-database";
import { schemas } from "@ems/deploy/schemas";
import { localSecrets } from "@ems/deploy/secrets";
import { postgresUrl, readConfig } from "@ems/kit/config";
import { urlFor } from "@ems/kit/db/provision";
import { getRolePrefix } from "@ems/kit/db/role-prefix";
import { hasOutbox, ownerRole, relayRole, runtimeRole, type Schema } from "@ems/kit/db/schema";
import type { Cli } from "./cli.ts";
import { Failure } from "./failure.ts";

const root = resolve(import.meta.dirname, "../..");

/** Reads the settings like `npm start`, with paths relative to the product's folder. */
export function operatorConfig({ env }: Cli) {
  return installationConfig({ ...env, DATA_DIR: resolve(root, env.DATA_DIR || ".data") });
}

const variables = { [ownerRole]: "OWNER_DATABASE_URL", ems_notifications_relay: "RELAY_DATABASE_URL" };
type OperatorRole = keyof typeof variables;

/** Returns the database URL for `role`: from the environment, else from the installation in DATA_DIR. */
export async function findDatabase(cli: Cli, role: OperatorRole): Promise<string | undefined> {
  return urlFromEnvironment(cli, variables[role]) ?? (await installationUrls(cli))?.(role);
}

/** Returns the URL of PgBouncer's admin console, if the environment contains it. */
export function findPooler(cli: Cli): string | undefined {
  return urlFromEnvironment(cli, "PGBOUNCER_URL");
}

export async function databaseAs(cli: Cli, role: OperatorRole): Promise<string> {
  const url = await findDatabase(cli, role);
  if (url !== undefined) return url;
  throw new Failure(`Database missing: set ${variables[role]}, or DATA_DIR of a running installation.`);
}

/** Returns the outboxes' database URLs with relay roles: those in the environment, else all of the installation. */
export async function relayDatabases(cli: Cli): Promise<{ schema: string; url: string }[]> {
  const relays = schemas.filter(hasOutbox).map((schema) => ({ schema: schema.name, role: relayRole(schema) }));
  const named = relays.flatMap(({ schema }) => {
    const own = urlFromEnvironment(cli, `${schema.toUpperCase()}_RELAY_DATABASE_URL`);
    return own === undefined ? [] : [{ schema, url: own }];
  });
  if (named.length > 0) return named;
  const url = urlFromEnvironment(cli, "RELAY_DATABASE_URL");
  if (url !== undefined) {
    const { username } = new URL(url);
    return [
      { schema: relays.find(({ role }) => getRolePrefix(url) + role === username)?.schema ?? "notifications", url },
    ];
  }
  const urlAs = await installationUrls(cli);
  return urlAs === undefined ? [] : relays.map(({ schema, role }) => ({ schema, url: urlAs(role) }));
}

interface ServiceDatabases {
  readonly DATABASE_URL: string;
  readonly RELAY_DATABASE_URL: string;
}

/**
 * Returns a service's database URLs for its runtime and relay roles: from variables prefixed with its name, else from
 * the service's own environment, else from the installation. Undefined in another service's environment.
 */
export async function findDatabases(cli: Cli, { name }: Pick<Schema, "name">): Promise<ServiceDatabases | undefined> {
  const [runtime, relay] = [runtimeRole({ name }), relayRole({ name })];
  const prefix = name.toUpperCase();
  const [own, ownRelay] = ["DATABASE_URL", "RELAY_DATABASE_URL"].map((variable) =>
    urlFromEnvironment(cli, `${prefix}_${variable}`),
  );
  if (own !== undefined && ownRelay !== undefined) return { DATABASE_URL: own, RELAY_DATABASE_URL: ownRelay };
  const [inService, inServiceRelay] = ["DATABASE_URL", "RELAY_DATABASE_URL"].map((variable) =>
    urlFromEnvironment(cli, variable),
  );
  if (inService !== undefined && inServiceRelay !== undefined) {
    const isOwn = new URL(inServiceRelay).username === getRolePrefix(inServiceRelay) + relay;
    return isOwn ? { DATABASE_URL: inService, RELAY_DATABASE_URL: inServiceRelay } : undefined;
  }
  const urlAs = await installationUrls(cli);
  if (urlAs !== undefined) return { DATABASE_URL: urlAs(runtime), RELAY_DATABASE_URL: urlAs(relay) };
  throw new Failure(`Database missing: set ${prefix}_DATABASE_URL and ${prefix}_RELAY_DATABASE_URL, or DATA_DIR.`);
}

function urlFromEnvironment({ env }: Cli, variable: string): string | undefined {
  return env[variable] ? readConfig({ [variable]: postgresUrl() }, env)[variable] : undefined;
}

async function installationUrls(cli: Cli): Promise<((role: string) => string) | undefined> {
  const { DATABASE_URL, DATABASE_ROLE_PREFIX: rolePrefix, DATA_DIR } = operatorConfig(cli);
  const adminUrl = DATABASE_URL ?? (await runningUrl(DATA_DIR));
  if (adminUrl === undefined) return undefined;
  const { passwords } = await localSecrets(DATA_DIR);
  return (role) => urlFor(adminUrl, role, passwords, rolePrefix);
}

/** Returns the sealing keys of notifications from the environment, else from the installation in DATA_DIR. */
export async function sealingKeys(cli: Cli): Promise<string> {
  if (cli.env.SEALING_KEYS) return cli.env.SEALING_KEYS;
  // Do not use the keys in DATA_DIR for another database: they fit only the database in DATA_DIR.
  if (cli.env.RELAY_DATABASE_URL) throw new Failure("Keys missing: set SEALING_KEYS to the value of notifications.");
  return (await localSecrets(operatorConfig(cli).DATA_DIR)).sealingKey;
}
