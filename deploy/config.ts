import { list, milliseconds, natsUrl, port, postgresUrl, readConfig, z } from "@ems/kit/config";
import { rolesOf } from "@ems/kit/db/prepare";
import { schemas } from "./schemas.ts";

const shape = {
  /** Where the embedded PostgreSQL and the secrets of this installation live. */
  DATA_DIR: z.string().default(".data"),
  /** A real server to use instead of the embedded one, as a role that may create roles and schemas. */
  DATABASE_URL: postgresUrl().optional(),
  /** A NATS server to use instead of one started here. */
  NATS_URL: natsUrl().optional(),
  /** Path of the nats-server to start; by default the one in PATH, if any. `none` starts none. */
  NATS_SERVER: z.string().optional(),
  PATH: z.string().default(""),
  HOST: z.string().default("127.0.0.1"),
  PORT: port().default(3000),
  ADMIN_PORT: port().default(0),
  /** On a developer's machine only what went wrong; `info` shows each request. */
  LOG_LEVEL: z.string().default("warn"),
  /** Nobody balances load over a developer's machine: it stops at once. */
  DRAIN_DELAY_MS: milliseconds().default(0),
};

export type DeployConfig = ReturnType<typeof readConfig<typeof shape>>;

export function deployConfig(env: Record<string, string | undefined>): DeployConfig {
  return readConfig(shape, env);
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
