import { defineConfig, outboxConfig, sealingConfig, serviceConfig } from "@ems/kit/config";
import { jobSettings } from "./jobs/settings.ts";
import { modelSettings } from "./model/settings.ts";

const shape = {
  ...serviceConfig,
  ...outboxConfig,
  ...sealingConfig,
  ...jobSettings,
  ...modelSettings,
};

export const {
  settings: evaluationSettings,
  config: evaluationConfig,
  peers: evaluationPeers,
} = defineConfig(shape, ["identity", "catalog", "experiments"]);

export type EvaluationConfig = ReturnType<typeof evaluationConfig>;
