import { createClient } from "@connectrpc/connect";
import { publisher } from "@ems/kit/events/publish";
import { mount } from "@ems/kit/rpc/service";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { ExperimentService } from "@ems/proto/experiments/v1/experiment_service";
import { InferenceStepService } from "@ems/proto/experiments/v1/inference_step_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import { RunService } from "@ems/proto/experiments/v1/run_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import type { ExperimentsConfig } from "./config.ts";
import type { Deps } from "./deps.ts";
import { createAssignments } from "./rpc/create-assignments.ts";
import { createContradictions } from "./rpc/create-contradictions.ts";
import { createExperiment } from "./rpc/create-experiment.ts";
import { createInferenceStep } from "./rpc/create-inference-step.ts";
import { createQuickstart } from "./rpc/create-quickstart.ts";
import { getExperiment } from "./rpc/get-experiment.ts";
import { getQuickstart } from "./rpc/get-quickstart.ts";
import { getRun } from "./rpc/get-run.ts";
import { getTest } from "./rpc/get-test.ts";
import { getTrace } from "./rpc/get-trace.ts";
import { ingestEvents } from "./rpc/ingest-events.ts";
import { ingestOtelTraces } from "./rpc/ingest-otel-traces.ts";
import { listAssignments } from "./rpc/list-assignments.ts";
import { listContradictions } from "./rpc/list-contradictions.ts";
import { listExperiments } from "./rpc/list-experiments.ts";
import { listInferenceSteps } from "./rpc/list-inference-steps.ts";
import { listQuickstarts } from "./rpc/list-quickstarts.ts";
import { listRuns } from "./rpc/list-runs.ts";
import { listTests } from "./rpc/list-tests.ts";
import { listTraces } from "./rpc/list-traces.ts";
import { recordResults } from "./rpc/record-results.ts";
import { updateContradiction } from "./rpc/update-contradiction.ts";
import { updateExperiment } from "./rpc/update-experiment.ts";
import { experimentsSchema } from "./schema.ts";

/** Experiments: experiments, inference steps, quickstarts and what hangs on them, traces, runs and their results. */
export function createExperiments(
  config: ExperimentsConfig,
  { log, bus, clock, newId, peer }: ServiceDeps,
): Promise<Service> {
  return openService(experimentsSchema, config, { log, bus }, (database) => {
    const deps: Deps = {
      database,
      publish: publisher(experimentsSchema.name, { clock, newId }),
      clock,
      newId,
      users: createClient(UserService, peer("identity")),
      references: createClient(ReferenceService, peer("catalog")),
    };
    return [
      mount(ExperimentService, {
        createExperiment: createExperiment(deps),
        listExperiments: listExperiments(deps),
        getExperiment: getExperiment(deps),
        updateExperiment: updateExperiment(deps),
      }),
      mount(InferenceStepService, {
        createInferenceStep: createInferenceStep(deps),
        listInferenceSteps: listInferenceSteps(deps),
      }),
      mount(QuickstartService, {
        createQuickstart: createQuickstart(deps),
        listQuickstarts: listQuickstarts(deps),
        getQuickstart: getQuickstart(deps),
        createAssignments: createAssignments(deps),
        listAssignments: listAssignments(deps),
        createContradictions: createContradictions(deps),
        listContradictions: listContradictions(deps),
        updateContradiction: updateContradiction(deps),
      }),
      mount(TraceService, { getTrace: getTrace(deps), listTraces: listTraces(deps) }),
      mount(RunService, { getRun: getRun(deps), listRuns: listRuns(deps) }),
      mount(TestService, {
        getTest: getTest(deps),
        listTests: listTests(deps),
        recordResults: recordResults(deps),
      }),
      mount(IngestService, {
        ingestEvents: ingestEvents(deps, config.INGEST_ROWS_MAX),
        ingestOtelTraces: ingestOtelTraces(deps, config.INGEST_ROWS_MAX),
      }),
    ];
  });
}
