import { milliseconds, type readConfig, z } from "@ems/kit/config";
import { cidrs, hostsConfig } from "@ems/kit/hosts";
import { modelPricesConfig } from "@ems/prices";

export const modelSettings = {
  ...modelPricesConfig,
  ...hostsConfig,
  MODEL_ALLOW_CIDRS: cidrs()
    .default([])
    .describe(
      "Private addresses that model connections may have, as CIDRs joined by commas, such as those of Ollama or vLLM; there, http is allowed too.",
    ),
  MODEL_CA_FILE: z.string().optional().describe("Certificates (PEM) trusted for models beside the public ones."),
  MODEL_CALL_TIMEOUT_MS: milliseconds().min(1_000).default(120_000).describe("Timeout of one call of a model."),
  MODEL_CONNECT_TIMEOUT_MS: milliseconds().default(5_000).describe("Timeout of connecting to a model."),
};

export type ModelConfig = ReturnType<typeof readConfig<typeof modelSettings>>;
