import { installationShape } from "@ems/deploy/config";
import { milliseconds, port, readConfig, z } from "@ems/kit/config";

const shape = {
  ...installationShape,
  /** Path of the nats-server to start; by default the one in PATH, if any. `none` starts none. */
  NATS_SERVER: z.string().optional(),
  PATH: z.string().default(""),
  HOST: z.string().default("127.0.0.1"),
  PORT: port().default(3000),
  ADMIN_PORT: port().default(0),
  /** On a developer's machine only what went wrong; `info` shows each request. */
  LOG_LEVEL: z.string().default("warn"),
  /** No load balancer stands in front of a developer's machine: it stops at once. */
  DRAIN_DELAY_MS: milliseconds().default(0),
};

export type DeployConfig = ReturnType<typeof readConfig<typeof shape>>;

export function deployConfig(env: Record<string, string | undefined>): DeployConfig {
  return readConfig(shape, env);
}
