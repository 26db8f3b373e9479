import { count, defineConfig, outboxConfig, serviceConfig } from "@ems/kit/config";

const shape = {
  ...serviceConfig,
  ...outboxConfig,
  INGEST_ROWS_MAX: count().default(10_000).describe("Traces, steps and spans that one ingestion request may create."),
};

export const {
  settings: experimentsSettings,
  config: experimentsConfig,
  peers: experimentsPeers,
} = defineConfig(shape, ["identity", "catalog"]);

export type ExperimentsConfig = ReturnType<typeof experimentsConfig>;
