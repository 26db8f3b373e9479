import { milliseconds, type readConfig, z } from "@ems/kit/config";
import { isCidr } from "@ems/kit/hosts";
import { modelPricesConfig } from "@ems/kit/prices";

const list = () =>
  z.string().transform((text) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  );

export const modelSettings = {
  ...modelPricesConfig,
  MODEL_ALLOW_CIDRS: list()
    .pipe(z.array(z.string().refine(isCidr, "must be blocks of addresses, such as 10.1.0.0/16")))
    .default([])
    .describe(
      "Private addresses that model connections may have, as CIDRs joined by commas, such as those of Ollama or vLLM; there, http is allowed too.",
    ),
  MODEL_CA_FILE: z.string().optional().describe("Certificates (PEM) trusted for models beside the public ones."),
  MODEL_CALL_TIMEOUT_MS: milliseconds().min(1_000).default(120_000).describe("Timeout of one call of a model."),
  MODEL_CONNECT_TIMEOUT_MS: milliseconds().default(5_000).describe("Timeout of connecting to a model."),
};

export type ModelConfig = ReturnType<typeof readConfig<typeof modelSettings>>;
