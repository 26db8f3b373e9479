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
import { createAssignments } from "./assignments/create-assignments.ts";
import { listAssignments } from "./assignments/list-assignments.ts";
import type { ExperimentsConfig } from "./config.ts";
import { createContradictions } from "./contradictions/create-contradictions.ts";
import { listContradictions } from "./contradictions/list-contradictions.ts";
import { updateContradiction } from "./contradictions/update-contradiction.ts";
import type { Deps } from "./deps.ts";
import { createExperiment } from "./experiments/create-experiment.ts";
import { getExperiment } from "./experiments/get-experiment.ts";
import { listExperiments } from "./experiments/list-experiments.ts";
import { updateExperiment } from "./experiments/update-experiment.ts";
import { createInferenceStep } from "./inference-steps/create-inference-step.ts";
import { listInferenceSteps } from "./inference-steps/list-inference-steps.ts";
import { ingestEvents } from "./ingest/ingest-events.ts";
import { ingestOtelTraces } from "./ingest/ingest-otel-traces.ts";
import { createQuickstart } from "./quickstarts/create-quickstart.ts";
import { getQuickstart } from "./quickstarts/get-quickstart.ts";
import { listQuickstarts } from "./quickstarts/list-quickstarts.ts";
import { getRun } from "./runs/get-run.ts";
import { listRuns } from "./runs/list-runs.ts";
import { experimentsSchema } from "./schema.ts";
import { getTest } from "./tests/get-test.ts";
import { listTests } from "./tests/list-tests.ts";
import { recordResults } from "./tests/record-results.ts";
import { getTrace } from "./traces/get-trace.ts";
import { listTraces } from "./traces/list-traces.ts";

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
