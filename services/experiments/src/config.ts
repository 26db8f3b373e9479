import { count, defineConfig, outboxConfig, serviceConfig } from "@ems/kit/config";
import { ingestRowsMax } from "@ems/proto/limits";

const shape = {
  ...serviceConfig,
  ...outboxConfig,
  INGEST_ROWS_MAX: count()
    .default(ingestRowsMax)
    .describe("Traces, steps and spans that one ingestion request may create."),
};

export const {
  settings: experimentsSettings,
  config: experimentsConfig,
  peers: experimentsPeers,
} = defineConfig(shape, ["identity", "catalog"]);

export type ExperimentsConfig = ReturnType<typeof experimentsConfig>;
