import { createClient } from "@connectrpc/connect";
import { type Archive, ArchiveWorker, createSource, Erasing, expireArchived, openArchive, Stores } from "@ems/archive";
import type { BackgroundLoop } from "@ems/kit/background";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { mount } from "@ems/kit/rpc/service";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import { pricing } from "@ems/prices";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { archiveOptions } from "./archive/index.ts";
import { Completion, SampleRates } from "./completion/index.ts";
import type { TracesConfig } from "./config.ts";
import type { Deps } from "./deps.ts";
import { downloadTraces } from "./exports/index.ts";
import { ingest } from "./ingest/index.ts";
import { ArrivalRules, ingestSettings, Redactors } from "./ingest-settings/index.ts";
import { readConversation, testTracePaths } from "./judge-texts/index.ts";
import { modelPrices, Prices } from "./model-prices/index.ts";
import { otlp } from "./otlp/index.ts";
import { tracesRetention } from "./retention/index.ts";
import { tracesSchema } from "./schema.ts";
import { startIndexer } from "./search/index.ts";
import { sessions } from "./sessions/index.ts";
import { traceWork } from "./trace-work/index.ts";
import { createTaskFromTrace } from "./traced-tasks/index.ts";
import { foldStepDays, StepMonths, traces } from "./traces/index.ts";
import { transfer } from "./transfer/index.ts";

/** Creates the traces service: ingestion, OpenTelemetry, search, trace completion and redaction. */
export async function createTraces(
  config: TracesConfig,
  { log, bus, clock, newId, peer }: ServiceDeps,
): Promise<Service> {
  const { RELAY_DATABASE_URL: url, RELAY_POOL_MAX: poolMax } = config;
  const relayDatabase = new RelayDatabase({ schema: tracesSchema, url, poolMax, log });
  const source = createSource(config);
  let archive: Archive | undefined;
  const sampleRates = new SampleRates();
  const loops: Pick<BackgroundLoop, "stop">[] = [];
  const service = await openService(tracesSchema, config, { log, bus, clock, relayDatabase }, async (database) => {
    archive = await openArchive(config, database, [tracesSchema.name, "experiments"]);
    const archived = archiveOptions(relayDatabase);
    const ranges = { traces: "traces.archive_extent", results: "traces.result_archive_v1" };
    const stores = new Stores(database, archive, ranges);
    const workerDeps = { database, relayDatabase, clock, log };
    const retention = tracesRetention(config.RETENTION_DAYS_TRACES, {
      ...workerDeps,
      expireArchived: (before) => expireArchived({ database, relayDatabase, source }, archived, "traces", before),
    });
    retention.start();
    const deps: Deps = {
      database,
      stores,
      archiveErasing: new Erasing({ stores, source }, archived),
      clock,
      newId,
      retention,
      prices: new Prices(database, clock, pricing(config.MODEL_PRICES)),
      redactors: new Redactors(database, clock),
      arrivalRules: new ArrivalRules(database, clock),
      completion: new Completion(config, sampleRates),
      references: createClient(ReferenceService, peer("catalog")),
      plans: createClient(TestPlanService, peer("catalog")),
    };
    const archiving = source && new ArchiveWorker(archived, { ...workerDeps, source });
    archiving?.start();
    loops.push(
      ...(archiving === undefined ? [] : [archiving]),
      retention,
      startIndexer(database, relayDatabase, log, (applicationId) => foldStepDays(database, applicationId)),
      sampleRates.startRefreshing(relayDatabase, log),
    );
    const months = new StepMonths();
    return [
      mount(TraceService, {
        ...traces({ ...deps, readConversation: readConversation(deps) }),
        createTaskFromTrace: createTaskFromTrace(deps),
        downloadTraces: downloadTraces(deps),
        testTracePaths: testTracePaths(deps),
      }),
      ingest(deps, months, config.INGEST_ROWS_MAX),
      ingestSettings(deps),
      modelPrices(deps),
      sessions(deps),
      otlp(deps, months, config.INGEST_ROWS_MAX),
      traceWork(deps, relayDatabase, months),
      transfer(deps),
    ];
  });
  return {
    ...service,
    close: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
      await service.close();
      await Promise.all([archive?.close(), source?.client.close(), relayDatabase.close()]);
    },
  };
}
