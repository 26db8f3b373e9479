import { workerConfig } from "@ems/archive/config";
import { defineConfig, milliseconds, outboxConfig, readConfig, serviceConfig } from "@ems/kit/config";
import { checkRetention, retentionSettings } from "./lifecycle/retention/settings.ts";

const shape = {
  ...serviceConfig,
  // For the outbox, claims of work, and deadlines.
  ...outboxConfig({ connections: 4 }),
  TRACE_TIMEOUT_MS: milliseconds()
    .default(900_000)
    .describe(
      "How long after the application accepted a prompt its test waits for the trace, where no setting says so.",
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
