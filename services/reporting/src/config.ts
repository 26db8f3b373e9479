import { archiveConfig } from "@ems/archive/config";
import { count, defineConfig, postgresUrl, serviceConfig } from "@ems/kit/config";

const shape = {
  ...serviceConfig,
  ...archiveConfig,
  REPORTING_DATABASE_URL: postgresUrl()
    .optional()
    .describe("Connection URL of a database replica for reports, as reporting's role. Unset: DATABASE_URL."),
  DEEP_SKIP_MIN: count()
    .default(200_000)
    .describe("Minimum `skip` from which a list first looks up the day on which its page begins."),
};

export const {
  settings: reportingSettings,
  config: reportingConfig,
  peers: reportingPeers,
} = defineConfig(shape, ["identity"]);

export type ReportingConfig = ReturnType<typeof reportingConfig>;
