import { count, defineConfig, outboxConfig, serviceConfig, z } from "@ems/kit/config";
import { ingestRowsMax } from "@ems/proto/limits";
import { readPrices } from "./prices/index.ts";

const shape = {
  ...serviceConfig,
  ...outboxConfig,
  INGEST_ROWS_MAX: count()
    .default(ingestRowsMax)
    .describe("Traces, steps and spans that one ingestion request may create."),
  MODEL_PRICES: z
    .string()
    .transform((text, context) => {
      try {
        return readPrices(text);
      } catch (error) {
        context.addIssue(error instanceof Error ? error.message : String(error));
        return z.NEVER;
      }
    })
    .optional()
    .describe(
      "Prices of models beside the list prices (`services/experiments/src/prices/prices.json`, same form): JSON, or a file's path.",
    ),
};

export const {
  settings: experimentsSettings,
  config: experimentsConfig,
  peers: experimentsPeers,
} = defineConfig(shape, ["identity", "catalog"]);

export type ExperimentsConfig = ReturnType<typeof experimentsConfig>;
