import { workerConfig } from "@ems/archive/config";
import { count, defineConfig, milliseconds, outboxConfig, readConfig, serviceConfig } from "@ems/kit/config";
import { modelPricesConfig } from "@ems/prices";
import { ingestRowsMax } from "@ems/proto/limits";
import { checkRetention, retentionSettings } from "./lifecycle/retention/settings.ts";

const shape = {
  ...serviceConfig,
  // For the outbox, the index of searches and its metric, the settling of traces, claims of work, and deadlines.
  ...outboxConfig({ connections: 6 }),
  INGEST_ROWS_MAX: count()
    .default(ingestRowsMax)
    .describe("Traces, steps and spans that one ingestion request may create."),
  SETTLE_ROOT_MS: milliseconds()
    .default(10_000)
    .describe("How long no span may come before an OpenTelemetry trace is settled whose root span has ended."),
  SETTLE_ROOTLESS_MS: milliseconds()
    .default(60_000)
    .describe("How long no span may come before an OpenTelemetry trace is settled whose root span has not come."),
  SETTLE_STEPS_MS: milliseconds()
    .default(3_000)
    .describe("How long no step may come before an ingested trace is settled that did not come with its steps."),
  SETTLE_MAX_MS: milliseconds()
    .default(900_000)
    .describe("When a trace is settled at the latest, after it was first seen, though steps keep coming."),
  ...modelPricesConfig,
  TRACE_TIMEOUT_MS: milliseconds()
    .default(900_000)
    .describe(
      "How long after the application accepted a prompt its test waits for the trace, where no setting says so.",
    ),
  ...retentionSettings,
  ...workerConfig,
};

export const { settings: experimentsSettings, peers: experimentsPeers } = defineConfig(shape, [
  "identity",
  "catalog",
  "traces",
]);

export type ExperimentsConfig = ReturnType<typeof readConfig<typeof shape>>;

export function experimentsConfig(env: Record<string, string | undefined>): ExperimentsConfig {
  const config = readConfig(shape, env);
  checkRetention(config);
  return config;
}
