// What operators have and applications do not: the product's folder, and its database by role.

import { resolve } from "node:path";
import { postgresUrl, readConfig } from "@ems/kit/config";
import { urlFor } from "@ems/kit/db/prepare";
import { ownerRole, relayRole } from "@ems/kit/db/schema";
import { type DeployConfig, deployConfig } from "../config.ts";
import { runningUrl } from "../installation.ts";
import { localSecrets } from "../secrets.ts";
import type { Cli } from "./cli.ts";
import { Failure } from "./failure.ts";

const root = resolve(import.meta.dirname, "../..");

/** Settings as `npm start` reads them: in the product's folder. */
export function operatorConfig({ env }: Cli): DeployConfig {
  return deployConfig({ ...env, DATA_DIR: resolve(root, env.DATA_DIR || ".data") });
}

const variables = { [ownerRole]: "OWNER_DATABASE_URL", [relayRole]: "RELAY_DATABASE_URL" };

/** The database as `role`: as the environment names it, else that of the installation in DATA_DIR; undefined without one. */
export async function findDatabase(cli: Cli, role: typeof ownerRole | typeof relayRole): Promise<string | undefined> {
  const variable = variables[role] ?? "";
  if (cli.env[variable]) return readConfig({ [variable]: postgresUrl() }, cli.env)[variable];
  const { DATABASE_URL, DATA_DIR } = operatorConfig(cli);
  const adminUrl = DATABASE_URL ?? (await runningUrl(DATA_DIR));
  return adminUrl && urlFor(adminUrl, role, (await localSecrets(DATA_DIR)).passwords);
}

export async function databaseAs(cli: Cli, role: typeof ownerRole | typeof relayRole): Promise<string> {
  const url = await findDatabase(cli, role);
  if (url !== undefined) return url;
  throw new Failure(`Which database? Set ${variables[role]}, or DATA_DIR to that of an installation that runs.`);
}

/** What notifications seals with: as the environment has it, else as the installation in DATA_DIR. */
export async function sealingKeys(cli: Cli): Promise<string> {
  if (cli.env.SEALING_KEYS) return cli.env.SEALING_KEYS;
  // A database that is named is another one's.
  if (cli.env.RELAY_DATABASE_URL) throw new Failure("Which keys? Set SEALING_KEYS as notifications has it.");
  return (await localSecrets(operatorConfig(cli).DATA_DIR)).sealingKey;
}
