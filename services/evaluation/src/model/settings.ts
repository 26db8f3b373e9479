import { milliseconds, type readConfig, z } from "@ems/kit/config";
import { cidrs, hostsConfig } from "@ems/kit/hosts";
import { modelPricesConfig } from "@ems/prices";

export const modelSettings = {
  ...modelPricesConfig,
  ...hostsConfig,
  MODEL_ALLOW_CIDRS: cidrs()
    .default([])
    .describe(
      "Private addresses that model connections may use, as comma-separated CIDRs, such as those of Ollama or vLLM. Plain http is allowed there.",
    ),
  MODEL_CA_FILE: z
    .string()
    .optional()
    .describe("Certificates (PEM) trusted for models in addition to the public ones."),
  MODEL_CALL_TIMEOUT_MS: milliseconds().min(1_000).default(120_000).describe("Timeout of a model call."),
  MODEL_CONNECT_TIMEOUT_MS: milliseconds().default(5_000).describe("Timeout of connecting to a model."),
};

export type ModelConfig = ReturnType<typeof readConfig<typeof modelSettings>>;
