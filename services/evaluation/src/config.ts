import { defineConfig, outboxConfig, sealingConfig, serviceConfig } from "@ems/kit/config";
import { jobSettings } from "./jobs/settings.ts";
import { modelSettings } from "./model/settings.ts";

const shape = {
  ...serviceConfig,
  // Database connections for the outbox, and for claims and outcomes of jobs, whose statements are short.
  ...outboxConfig({ connections: 5 }),
  ...sealingConfig,
  ...jobSettings,
  ...modelSettings,
};

export const {
  settings: evaluationSettings,
  config: evaluationConfig,
  peers: evaluationPeers,
} = defineConfig(shape, ["identity", "catalog", "traces", "experiments"]);

export type EvaluationConfig = ReturnType<typeof evaluationConfig>;
