import { archiveConfig } from "@ems/archive/config";
import { installationShape } from "@ems/deploy/config";
import { logLevel, milliseconds, port, readConfig, z } from "@ems/kit/config";

export const startSettings = {
  ...installationShape,
  NATS_SERVER: z
    .string()
    .optional()
    .describe("Path of the nats-server to start without `NATS_URL`; `none` starts none. Default: the one in PATH."),
  PATH: z.string().default(""),
  HOST: z.string().default("127.0.0.1").describe("Address of the API."),
  PORT: port().default(3000).describe("Port of the API."),
  ADMIN_PORT: port()
    .default(0)
    .describe("Port of `/livez`, `/readyz`, `/metrics` and, without a mail relay, `/mail`. 0: a free port."),
  LOG_LEVEL: logLevel().default("warn").describe("Lowest level that is logged, on stderr; `info` logs each request."),
  // A developer's machine has no load balancer that must drain first.
  DRAIN_DELAY_MS: milliseconds().default(0),
};

const settings = { ...startSettings, ...archiveConfig };

export type DeployConfig = ReturnType<typeof readConfig<typeof settings>>;

export function deployConfig(env: Record<string, string | undefined>): DeployConfig {
  return readConfig(settings, env);
}
