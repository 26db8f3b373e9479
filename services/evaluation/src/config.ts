import { defineConfig, outboxConfig, sealingConfig, serviceConfig } from "@ems/kit/config";
import { jobSettings } from "./jobs/settings.ts";

const shape = {
  ...serviceConfig,
  ...outboxConfig,
  ...sealingConfig,
  ...jobSettings,
};

export const {
  settings: evaluationSettings,
  config: evaluationConfig,
  peers: evaluationPeers,
} = defineConfig(shape, ["identity", "catalog", "experiments"]);

export type EvaluationConfig = ReturnType<typeof evaluationConfig>;
