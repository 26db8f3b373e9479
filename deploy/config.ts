import { archiveConfig } from "@ems/archive/config";
import { isKey } from "@ems/kit/api-key";
import { list, natsUrl, postgresUrl, readConfig, z } from "@ems/kit/config";
import { backupRole } from "@ems/kit/db/backup-role";
import { rolesOf } from "@ems/kit/db/provision";
import { schemas } from "./schemas.ts";

const rolePrefix = () =>
  z
    .string()
    .regex(/^([a-z][a-z0-9_]{0,29})?$/, "must have at most 30 small letters, digits and _, and begin with a letter")
    .default("")
    .describe(
      "Begins the names of the installation's roles, such as `staging_`: for a second installation in a database of the same server.",
    );

/** Settings of an installation on this machine. */
export const installationShape = {
  DATA_DIR: z.string().default(".data").describe("Directory of the embedded PostgreSQL and the secrets."),
  DATABASE_URL: postgresUrl()
    .optional()
    .describe("Your PostgreSQL server, as a role that may create roles and schemas."),
  DATABASE_ROLE_PREFIX: rolePrefix(),
  NATS_URL: natsUrl().optional().describe("Your NATS server (2.9 or later, with JetStream)."),
};

export function installationConfig(env: Record<string, string | undefined>) {
  return readConfig(installationShape, env);
}

const waitShape = z.coerce
  .number()
  .int()
  .min(0)
  .default(60)
  .describe("How long `prepare` and `migrate` wait for PostgreSQL to answer.");

/** Configuration of `prepare`: the database as an administrator, and a password for every role. */
export function prepareConfig(env: Record<string, string | undefined>) {
  // Other processes have the password within a URL.
  const password = z.string().regex(/^[\w.~-]{16,}$/, "must have at least 16 letters, digits or any of . _ ~ -");
  const services = rolesOf(schemas).map((role) => [passwordVariable(role), password] as const);
  // The secrets of an older installation have none for it.
  const backup = [passwordVariable(backupRole), password.optional()] as const;
  const passwords = readConfig(Object.fromEntries<z.ZodType<string | undefined>>([...services, backup]), env);
  const shape = { DATABASE_URL: postgresUrl(), DATABASE_WAIT_SECONDS: waitShape, DATABASE_ROLE_PREFIX: rolePrefix() };
  const config = readConfig(shape, env);
  return {
    adminUrl: config.DATABASE_URL,
    waitSeconds: config.DATABASE_WAIT_SECONDS,
    rolePrefix: config.DATABASE_ROLE_PREFIX,
    passwords: Object.fromEntries(
      [...rolesOf(schemas), backupRole].map((role) => [role, passwords[passwordVariable(role)] ?? ""]),
    ),
  };
}

/** The environment variable that holds the password of `role`. */
export function passwordVariable(role: string): string {
  return `${role.toUpperCase()}_PASSWORD`;
}

/** Configuration of commands that work as the owner of the tables. */
export function ownerConfig(env: Record<string, string | undefined>) {
  return readConfig({ OWNER_DATABASE_URL: postgresUrl(), DATABASE_WAIT_SECONDS: waitShape }, env);
}

/** The archive's server, for `migrate`. */
export function archiveSettings(env: Record<string, string | undefined>) {
  return readConfig(archiveConfig, env);
}

/** Configuration of `backup`. */
export function backupConfig(env: Record<string, string | undefined>) {
  return readConfig({ BACKUP_DATABASE_URL: postgresUrl(), DATABASE_WAIT_SECONDS: waitShape }, env);
}

/** Configuration of a Job whose pod may have an injected sidecar. */
export function sidecarConfig(env: Record<string, string | undefined>) {
  const quitUrl = z.url({ protocol: /^http$/, error: "must be an http:// URL" });
  return readConfig({ SIDECAR_QUIT_URL: quitUrl.optional().describe("Sent a POST at the end of a Job.") }, env);
}

/** The same, with the peppers of identity, which API keys are hashed with, and the key to issue where it is chosen before. */
export function bootstrapConfig(env: Record<string, string | undefined>) {
  const peppers = list().refine(([first = ""]) => first.length >= 32, "must have at least 32 characters");
  const key = z.string().refine(isKey, "must be an API key, as the command secrets makes it");
  return readConfig(
    { OWNER_DATABASE_URL: postgresUrl(), API_KEY_PEPPERS: peppers, BOOTSTRAP_API_KEY: key.optional() },
    env,
  );
}
