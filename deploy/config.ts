import { milliseconds, natsUrl, port, postgresUrl, readConfig, z } from "@ems/kit/config";

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
