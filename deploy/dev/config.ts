import { archiveConfig } from "@ems/archive/config";
import { installationShape } from "@ems/deploy/config";
import { logLevel, milliseconds, port, readConfig, z } from "@ems/kit/config";

export const startSettings = {
  ...installationShape,
  NATS_SERVER: z
    .string()
    .optional()
    .describe("The nats-server to start without `NATS_URL`; `none` starts none. Unset: the one in PATH."),
  PATH: z.string().default(""),
  HOST: z.string().default("127.0.0.1").describe("Address of the API."),
  PORT: port().default(3000).describe("Port of the API."),
  ADMIN_PORT: port()
    .default(0)
    .describe("Port of `/livez`, `/readyz`, `/metrics` and, without a relay, `/mail`; 0 takes a free one."),
  LOG_LEVEL: logLevel()
    .default("warn")
    .describe("The lowest level that is logged, on stderr; `info` logs each request."),
  // No load balancer stands in front of a developer's machine.
  DRAIN_DELAY_MS: milliseconds().default(0),
};

const settings = { ...startSettings, ...archiveConfig };

export type DeployConfig = ReturnType<typeof readConfig<typeof settings>>;

export function deployConfig(env: Record<string, string | undefined>): DeployConfig {
  return readConfig(settings, env);
}
