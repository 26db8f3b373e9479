import { archiveConfig } from "@ems/archive/config";
import { isKey } from "@ems/kit/api-key";
import { list, natsUrl, postgresUrl, readConfig, z } from "@ems/kit/config";
import { backupRole } from "@ems/kit/db/backup-role";
import { listRoles } from "@ems/kit/db/provision";
import { schemas } from "./schemas.ts";

const rolePrefix = () =>
  z
    .string()
    .regex(
      /^([a-z][a-z0-9_]{0,29})?$/,
      "must begin with a lower-case letter and have at most 30 lower-case letters, digits and _",
    )
    .default("")
    .describe("Prefix of the role names, such as `staging_`, for a second installation on the same PostgreSQL server.");

/** Settings of a local installation. */
export const installationShape = {
  DATA_DIR: z.string().default(".data").describe("Directory of the embedded PostgreSQL and the secrets."),
  DATABASE_URL: postgresUrl()
    .optional()
    .describe("URL of your PostgreSQL server, with a role that may create roles and schemas."),
  DATABASE_ROLE_PREFIX: rolePrefix(),
  NATS_URL: natsUrl().optional().describe("URL of your NATS server (2.9 or later, with JetStream)."),
};

export function installationConfig(env: Record<string, string | undefined>) {
  return readConfig(installationShape, env);
}

const waitShape = z.coerce
  .number()
  .int()
  .min(0)
  .default(60)
  .describe("Seconds that `prepare` and `migrate` wait for PostgreSQL.");

/** Reads the configuration of `prepare`: the administrator's URL, and a password for every role. */
export function prepareConfig(env: Record<string, string | undefined>) {
  // Allow only characters that need no escaping, because other processes use the password in a URL.
  const password = z.string().regex(/^[\w.~-]{16,}$/, "must have at least 16 letters, digits or any of . _ ~ -");
  const services = listRoles(schemas).map((role) => [passwordVariable(role), password] as const);
  // Secrets of older installations lack this password.
  const backup = [passwordVariable(backupRole), password.optional()] as const;
  const passwords = readConfig(Object.fromEntries<z.ZodType<string | undefined>>([...services, backup]), env);
  const shape = { DATABASE_URL: postgresUrl(), DATABASE_WAIT_SECONDS: waitShape, DATABASE_ROLE_PREFIX: rolePrefix() };
  const config = readConfig(shape, env);
  return {
    adminUrl: config.DATABASE_URL,
    waitSeconds: config.DATABASE_WAIT_SECONDS,
    rolePrefix: config.DATABASE_ROLE_PREFIX,
    passwords: Object.fromEntries(
      [...listRoles(schemas), backupRole].map((role) => [role, passwords[passwordVariable(role)] ?? ""]),
    ),
  };
}

/** Returns the environment variable for the password of `role`. */
export function passwordVariable(role: string): string {
  return `${role.toUpperCase()}_PASSWORD`;
}

/** Reads the configuration of commands that run as the owner of the tables. */
export function ownerConfig(env: Record<string, string | undefined>) {
  return readConfig({ OWNER_DATABASE_URL: postgresUrl(), DATABASE_WAIT_SECONDS: waitShape }, env);
}

/** Reads the archive's settings, for `migrate`. */
export function archiveSettings(env: Record<string, string | undefined>) {
  return readConfig(archiveConfig, env);
}

/** Reads the configuration of `backup`. */
export function backupConfig(env: Record<string, string | undefined>) {
  return readConfig({ BACKUP_DATABASE_URL: postgresUrl(), DATABASE_WAIT_SECONDS: waitShape }, env);
}

/** Reads the configuration of a Job whose pod may have an injected sidecar. */
export function sidecarConfig(env: Record<string, string | undefined>) {
  const quitUrl = z.url({ protocol: /^http$/, error: "must be an http:// URL" });
  return readConfig(
    { SIDECAR_QUIT_URL: quitUrl.optional().describe("URL that gets a POST at the end of a Job.") },
    env,
  );
}

/** Reads the configuration of `bootstrap`: the owner's URL, the peppers of API keys, and optionally the key to issue. */
export function bootstrapConfig(env: Record<string, string | undefined>) {
  const peppers = list().refine(([first = ""]) => first.length >= 32, "must have at least 32 characters");
  const key = z.string().refine(isKey, "must be an API key in the format that the command secrets generates");
  return readConfig(
    { OWNER_DATABASE_URL: postgresUrl(), API_KEY_PEPPERS: peppers, BOOTSTRAP_API_KEY: key.optional() },
    env,
  );
}
