import { workerConfig } from "@ems/archive/config";
import {
  count,
  defineConfig,
  milliseconds,
  outboxConfig,
  type readConfig,
  retentionDays,
  serviceConfig,
} from "@ems/kit/config";
import { modelPricesConfig } from "@ems/prices";
import { ingestRowsMax } from "@ems/proto/limits";

const shape = {
  ...serviceConfig,
  // For the outbox, the index of searches and its metric, sample rates, and claims of completed traces.
  ...outboxConfig({ connections: 4 }),
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
  RETENTION_DAYS_TRACES: retentionDays(7, "tests in flight, judges and reviews read traces of the last days")
    .optional()
    .describe("How many days traces are kept, with their steps and their index of words. Unset: for ever."),
  ...workerConfig,
};

export const {
  settings: tracesSettings,
  config: tracesConfig,
  peers: tracesPeers,
} = defineConfig(shape, ["identity", "catalog"]);

export type TracesConfig = ReturnType<typeof readConfig<typeof shape>>;
