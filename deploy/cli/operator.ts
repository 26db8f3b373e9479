// What operators have and applications do not: the product's folder, and its database by role.

import { resolve } from "node:path";
import { postgresUrl, readConfig } from "@ems/kit/config";
import { urlFor } from "@ems/kit/db/prepare";
import { hasOutbox, ownerRole, relayRole } from "@ems/kit/db/schema";
import { type DeployConfig, deployConfig } from "../config.ts";
import { runningUrl } from "../installation.ts";
import { schemas } from "../schemas.ts";
import { localSecrets } from "../secrets.ts";
import type { Cli } from "./cli.ts";
import { Failure } from "./failure.ts";

const root = resolve(import.meta.dirname, "../..");

/** Settings as `npm start` reads them: in the product's folder. */
export function operatorConfig({ env }: Cli): DeployConfig {
  return deployConfig({ ...env, DATA_DIR: resolve(root, env.DATA_DIR || ".data") });
}

const variables = { [ownerRole]: "OWNER_DATABASE_URL", ems_notifications_relay: "RELAY_DATABASE_URL" };
type OperatorRole = keyof typeof variables;

/** The database as `role`: as the environment names it, else that of the installation in DATA_DIR; undefined without one. */
export async function findDatabase(cli: Cli, role: OperatorRole): Promise<string | undefined> {
  return givenUrl(cli, variables[role]) ?? (await installedAs(cli))?.(role);
}

export async function databaseAs(cli: Cli, role: OperatorRole): Promise<string> {
  const url = await findDatabase(cli, role);
  if (url !== undefined) return url;
  throw new Failure(`Which database? Set ${variables[role]}, or DATA_DIR to that of an installation that runs.`);
}

/** The database as every relay role that is known here: the one that the environment names, or all of the installation. */
export async function relayDatabases(cli: Cli): Promise<string[]> {
  const given = givenUrl(cli, "RELAY_DATABASE_URL");
  if (given !== undefined) return [given];
  const urlAs = await installedAs(cli);
  return urlAs === undefined ? [] : schemas.filter(hasOutbox).map((schema) => urlAs(relayRole(schema)));
}

function givenUrl({ env }: Cli, variable: string): string | undefined {
  return env[variable] ? readConfig({ [variable]: postgresUrl() }, env)[variable] : undefined;
}

async function installedAs(cli: Cli): Promise<((role: string) => string) | undefined> {
  const { DATABASE_URL, DATA_DIR } = operatorConfig(cli);
  const adminUrl = DATABASE_URL ?? (await runningUrl(DATA_DIR));
  if (adminUrl === undefined) return undefined;
  const { passwords } = await localSecrets(DATA_DIR);
  return (role) => urlFor(adminUrl, role, passwords);
}

/** What notifications seals with: as the environment has it, else as the installation in DATA_DIR. */
export async function sealingKeys(cli: Cli): Promise<string> {
  if (cli.env.SEALING_KEYS) return cli.env.SEALING_KEYS;
  // A database that is named is another one's.
  if (cli.env.RELAY_DATABASE_URL) throw new Failure("Which keys? Set SEALING_KEYS as notifications has it.");
  return (await localSecrets(operatorConfig(cli).DATA_DIR)).sealingKey;
}
