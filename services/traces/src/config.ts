import { defineConfig, outboxConfig, serviceConfig } from "@ems/kit/config";

// Relay connections publish the outbox, and serve the workers of traces.
const shape = { ...serviceConfig, ...outboxConfig({ connections: 6 }) };

export const {
  settings: tracesSettings,
  config: tracesConfig,
  peers: tracesPeers,
} = defineConfig(shape, ["identity", "catalog"]);

export type TracesConfig = ReturnType<typeof tracesConfig>;
