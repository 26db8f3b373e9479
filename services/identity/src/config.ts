import { count, defineConfig, list, outboxConfig, serviceConfig, z } from "@ems/kit/config";
import { apiKeysMax } from "@ems/proto/limits";

const shape = {
  ...serviceConfig,
  ...outboxConfig(),
  API_KEY_PEPPERS: list()
    .refine(
      (peppers) => peppers.length >= 1 && peppers.length <= 2 && peppers.every((pepper) => pepper.length >= 32),
      "must be one or two secrets of at least 32 characters",
    )
    .describe(
      "Secrets for hashing API keys: the first hashes new keys, an optional second one finds old keys during a rotation.",
    ),
  API_KEYS_MAX: count()
    .default(apiKeysMax)
    .describe("Maximum number of API keys per application; existing keys beyond it stay valid."),
  ANALYTICS_HOST: z
    .url({ protocol: /^https?$/, error: "must be an http:// or https:// URL" })
    .default("")
    .describe("Public analytics URL for dashboards, returned by `GET /v0/app-config`."),
  ANALYTICS_KEY: z.string().default("").describe("Public analytics key for dashboards."),
  ANALYTICS_CLOUD_IDENTIFIER: z.string().default("").describe("Name of this installation in analytics."),
};

export const { settings: identitySettings, config: identityConfig } = defineConfig(shape);

export type IdentityConfig = ReturnType<typeof identityConfig>;
