import { count, list, outboxConfig, readConfig, serviceConfig, z } from "@ems/kit/config";

const shape = {
  ...serviceConfig,
  ...outboxConfig,
  /**
   * Secrets under which API keys are hashed, newest first. The first hashes new keys; a second one still finds the keys
   * made under it, for the time of a rotation.
   */
  API_KEY_PEPPERS: list().refine(
    (peppers) => peppers.length >= 1 && peppers.length <= 2 && peppers.every((pepper) => pepper.length >= 32),
    "must be one or two secrets of at least 32 characters",
  ),
  /** API keys of one application; what it has beyond that it keeps. */
  API_KEYS_MAX: count().default(100),
  /** Where dashboards report their use, and as what: public settings of a client, which GET /v0/app-config shows. */
  ANALYTICS_HOST: z.url({ protocol: /^https?$/, error: "must be an http:// or https:// URL" }).default(""),
  ANALYTICS_KEY: z.string().default(""),
  ANALYTICS_CLOUD_IDENTIFIER: z.string().default(""),
};

/** Every variable that the process reads. */
export const identityVariables = Object.keys(shape);

export type IdentityConfig = ReturnType<typeof readConfig<typeof shape>>;

export function identityConfig(env: Record<string, string | undefined>): IdentityConfig {
  return readConfig(shape, env);
}
