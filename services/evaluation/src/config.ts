import { defineConfig, outboxConfig, sealingConfig, serviceConfig } from "@ems/kit/config";

const shape = {
  ...serviceConfig,
  ...outboxConfig,
  ...sealingConfig,
};

export const {
  settings: evaluationSettings,
  config: evaluationConfig,
  peers: evaluationPeers,
} = defineConfig(shape, ["identity", "catalog", "experiments"]);

export type EvaluationConfig = ReturnType<typeof evaluationConfig>;
