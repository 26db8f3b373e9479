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
  // Database connections for the outbox, the search index and its metric, sample rates, and claims of completed traces.
  ...outboxConfig({ connections: 4 }),
  INGEST_ROWS_MAX: count()
    .default(ingestRowsMax)
    .describe("Maximum number of traces, steps and spans that one ingestion request may create."),
  SETTLE_ROOT_MS: milliseconds()
    .default(10_000)
    .describe("Time without new spans after which an OpenTelemetry trace is complete, if its root span has ended."),
  SETTLE_ROOTLESS_MS: milliseconds()
    .default(60_000)
    .describe(
      "Time without new spans after which an OpenTelemetry trace is complete, if its root span has not arrived.",
    ),
  SETTLE_STEPS_MS: milliseconds()
    .default(3_000)
    .describe("Time without new steps after which an ingested trace is complete, if it did not arrive with its steps."),
  SETTLE_MAX_MS: milliseconds()
    .default(900_000)
    .describe("Maximum time from a trace's arrival to its completion, even if steps keep arriving."),
  ...modelPricesConfig,
  RETENTION_DAYS_TRACES: retentionDays(7, "tests in flight, judges and reviews read traces of the last days")
    .optional()
    .describe("Days after which traces are deleted, with their steps and search index. Unset: no limit."),
  ...workerConfig,
};

export const {
  settings: tracesSettings,
  config: tracesConfig,
  peers: tracesPeers,
} = defineConfig(shape, ["identity", "catalog"]);

export type TracesConfig = ReturnType<typeof readConfig<typeof shape>>;
