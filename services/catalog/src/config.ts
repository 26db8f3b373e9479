import { defineConfig, outboxConfig, serviceConfig } from "@ems/kit/config";

export const {
  settings: catalogSettings,
  config: catalogConfig,
  peers: catalogPeers,
} = defineConfig({ ...serviceConfig, ...outboxConfig() }, ["identity"]);

export type CatalogConfig = ReturnType<typeof catalogConfig>;
