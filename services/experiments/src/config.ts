import { workerConfig } from "@ems/archive/config";
import { defineConfig, milliseconds, outboxConfig, readConfig, serviceConfig } from "@ems/kit/config";
import { checkRetention, retentionSettings } from "./lifecycle/retention/settings.ts";

const shape = {
  ...serviceConfig,
  // Database connections for the outbox relay, claims of work, and deadline checks.
  ...outboxConfig({ connections: 4 }),
  TRACE_TIMEOUT_MS: milliseconds()
    .default(900_000)
    .describe(
      "Default time in milliseconds from the acceptance of a prompt to its trace; an application's setting overrides it.",
    ),
  ...retentionSettings,
  ...workerConfig,
};

export const { settings: experimentsSettings, peers: experimentsPeers } = defineConfig(shape, [
  "identity",
  "catalog",
  "traces",
]);

export type ExperimentsConfig = ReturnType<typeof readConfig<typeof shape>>;

export function experimentsConfig(env: Record<string, string | undefined>): ExperimentsConfig {
  const config = readConfig(shape, env);
  checkRetention(config);
  return config;
}
