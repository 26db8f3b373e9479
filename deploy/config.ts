import { list, natsUrl, postgresUrl, readConfig, z } from "@ems/kit/config";
import { rolesOf } from "@ems/kit/db/provision";
import { schemas } from "./schemas.ts";

/** What an installation on this machine consists of, as its operators name it. */
export const installationShape = {
  /** Where the embedded PostgreSQL and the secrets of this installation live. */
  DATA_DIR: z.string().default(".data"),
  /** A real server to use instead of the embedded one, as a role that may create roles and schemas. */
  DATABASE_URL: postgresUrl().optional(),
  /** A NATS server to use instead of one started here. */
  NATS_URL: natsUrl().optional(),
};

export function installationConfig(env: Record<string, string | undefined>) {
  return readConfig(installationShape, env);
}

/** What `prepare` is told: an administrator's way to the database, and a password for every role. */
export function prepareConfig(env: Record<string, string | undefined>) {
  // Other processes have it within a URL.
  const password = z.string().regex(/^[\w.~-]{16,}$/, "must have at least 16 letters, digits or any of . _ ~ -");
  const passwords = readConfig(
    Object.fromEntries(rolesOf(schemas).map((role) => [passwordVariable(role), password])),
    env,
  );
  return {
    adminUrl: readConfig({ DATABASE_URL: postgresUrl() }, env).DATABASE_URL,
    passwords: Object.fromEntries(rolesOf(schemas).map((role) => [role, passwords[passwordVariable(role)] ?? ""])),
  };
}

/** The environment variable that holds the password of `role`. */
export function passwordVariable(role: string): string {
  return `${role.toUpperCase()}_PASSWORD`;
}

/** What jobs are told that work on a database that is there already: its owner's way to it. */
export function ownerConfig(env: Record<string, string | undefined>) {
  return readConfig({ OWNER_DATABASE_URL: postgresUrl() }, env);
}

/** What `bootstrap` is told, beside that: what keys are hashed under, as identity is told it. */
export function bootstrapConfig(env: Record<string, string | undefined>) {
  const peppers = list().refine(([first = ""]) => first.length >= 32, "must have at least 32 characters");
  return readConfig({ OWNER_DATABASE_URL: postgresUrl(), API_KEY_PEPPERS: peppers }, env);
}
