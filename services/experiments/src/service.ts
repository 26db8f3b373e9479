import { createClient } from "@connectrpc/connect";
import { type Archive, ArchiveWorker, createSource, Erasing, expireArchived, openArchive, Stores } from "@ems/archive";
import type { BackgroundLoop } from "@ems/kit/background";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { bulkPublisher, publisher } from "@ems/kit/events/publish";
import { mount } from "@ems/kit/rpc/service";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import { DocumentService } from "@ems/proto/catalog/v1/document_service";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { TaskService } from "@ems/proto/catalog/v1/task_service";
import { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import { ExperimentService } from "@ems/proto/experiments/v1/experiment_service";
import { IngestSettingsService } from "@ems/proto/experiments/v1/ingest_settings_service";
import { QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import { RunService } from "@ems/proto/experiments/v1/run_service";
import { VariantService } from "@ems/proto/experiments/v1/variant_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";
import { Redactors } from "@ems/traces-client";
import type { ExperimentsConfig } from "./config.ts";
import type { Deps } from "./deps.ts";
import { assignments } from "./experiments/assignments/index.ts";
import { compareRuns, compareVariants } from "./experiments/comparison/index.ts";
import { contradictions } from "./experiments/contradictions/index.ts";
import { experiments } from "./experiments/experiments/index.ts";
import { inferenceSteps } from "./experiments/inference-steps/index.ts";
import { quickstarts } from "./experiments/quickstarts/index.ts";
import { getExperimentTaskSet } from "./experiments/task-sets/index.ts";
import { variants } from "./experiments/variants/index.ts";
import { archiveOptions } from "./lifecycle/archive/index.ts";
import { erasures, erasureWork, startErasures } from "./lifecycle/erasures/index.ts";
import { resultsRetention } from "./lifecycle/retention/index.ts";
import { traceDeletions } from "./lifecycle/trace-deletions/index.ts";
import { transfer } from "./lifecycle/transfer/index.ts";
import { annotationQueues } from "./review/annotation-queues/index.ts";
import { annotations } from "./review/annotations/index.ts";
import { calibration, startCalibrations } from "./review/calibration/index.ts";
import { humanAnnotations } from "./review/human-annotations/index.ts";
import { issues } from "./review/issues/index.ts";
import { documentTestExecution, documentTests } from "./runs/document-tests/index.ts";
import { evaluations } from "./runs/evaluations/index.ts";
import { execution, rerunEvaluations, startCompletions, startDeadlines, triggerTasks } from "./runs/execution/index.ts";
import { judgeLive, startMonitoringRunEnds } from "./runs/live-traffic/index.ts";
import { runs } from "./runs/runs/index.ts";
import { tests } from "./runs/tests/index.ts";
import { experimentsSchema } from "./schema.ts";

/**
 * The experiments service: experiments with variants, inference steps, quickstarts with their assignments and
 * contradictions, runs and results, annotations and issues.
 */
export async function createExperiments(
  config: ExperimentsConfig,
  { log, bus, clock, newId, peer }: ServiceDeps,
): Promise<Service> {
  const relayDatabase = new RelayDatabase({
    schema: experimentsSchema,
    url: config.RELAY_DATABASE_URL,
    poolMax: config.RELAY_POOL_MAX,
    log,
  });
  const source = createSource(config);
  let archive: Archive | undefined;
  const loops: Pick<BackgroundLoop, "stop">[] = [];
  const service = await openService(experimentsSchema, config, { log, bus, clock, relayDatabase }, async (database) => {
    archive = await openArchive(config, database, [experimentsSchema.name, "traces"]);
    const archived = archiveOptions(relayDatabase);
    const ranges = { results: "experiments.archive_extent", traces: "experiments.trace_archive_v1" };
    const stores = new Stores(database, archive, ranges);
    const publishAll = bulkPublisher(experimentsSchema.name, { clock, newId });
    const retention = resultsRetention(config.RETENTION_DAYS_RESULTS, {
      database,
      relayDatabase,
      clock,
      log,
      expireArchived: (before) => expireArchived({ database, relayDatabase, source }, archived, "results", before),
    });
    retention.start();
    const deps: Deps = {
      database,
      stores,
      archiveErasing: new Erasing({ stores, source }, archived),
      publish: publisher(experimentsSchema.name, { clock, newId }),
      publishAll,
      traceTimeoutMs: config.TRACE_TIMEOUT_MS,
      clock,
      newId,
      retention,
      redactors: new Redactors(createClient(IngestSettingsService, peer("traces")), clock),
      traceWork: createClient(TraceWorkService, peer("traces")),
      users: createClient(UserService, peer("identity")),
      references: createClient(ReferenceService, peer("catalog")),
      tasks: createClient(TaskService, peer("catalog")),
      documents: createClient(DocumentService, peer("catalog")),
      plans: createClient(TestPlanService, peer("catalog")),
    };
    const erasing = startErasures(deps, relayDatabase, log);
    const workerDeps = { database, relayDatabase, clock, log };
    const archiving = source && new ArchiveWorker(archived, { ...workerDeps, source });
    archiving?.start();
    loops.push(
      ...(archiving === undefined ? [] : [archiving]),
      erasing,
      retention,
      startCompletions(deps, { log, judgeLive: judgeLive(deps) }),
      startDeadlines(deps, relayDatabase, log),
      startCalibrations(deps, relayDatabase, log),
      startMonitoringRunEnds(deps, relayDatabase, log),
    );
    return [
      mount(ExperimentService, { ...experiments(deps), getExperimentTaskSet: getExperimentTaskSet(deps) }),
      mount(VariantService, { ...variants(deps), compareVariants: compareVariants(deps) }),
      inferenceSteps(deps),
      mount(QuickstartService, { ...quickstarts(deps), ...assignments(deps), ...contradictions(deps) }),
      mount(RunService, { ...runs(deps), compareRuns: compareRuns(deps), triggerTasks: triggerTasks(deps) }),
      tests(deps),
      mount(EvaluationService, { ...evaluations(deps), rerunEvaluations: rerunEvaluations(deps) }),
      execution(deps, relayDatabase),
      annotations(deps),
      issues(deps),
      humanAnnotations(deps),
      annotationQueues(deps),
      calibration(deps),
      documentTests(deps),
      documentTestExecution(deps),
      erasures(deps, () => erasing.wake()),
      erasureWork(deps, relayDatabase),
      transfer(deps),
      traceDeletions(deps, () => erasing.wake()),
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
