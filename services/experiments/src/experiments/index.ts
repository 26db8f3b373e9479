import { type Mount, mount } from "@ems/kit/rpc/service";
import { ExperimentService } from "@ems/proto/experiments/v1/experiment_service";
import type { Deps } from "../deps.ts";
import { createExperiment } from "./create-experiment.ts";
import { getExperiment } from "./get-experiment.ts";
import { listExperiments } from "./list-experiments.ts";
import { updateExperiment } from "./update-experiment.ts";

export { ExperimentEntity, type ExperimentRow } from "./entity.ts";
export { type FollowedRun, followRuns, lockExperimentsOf } from "./follow-runs.ts";
export { type LockedExperiment, lockExperiment, updateStatus } from "./lock-experiment.ts";
export { experimentById } from "./queries.ts";
export { type TestedVariant, testedVariant } from "./tested-variant.ts";
export { isStarted, type VariantConfig, VariantEntity, type VariantRow } from "./variant-entity.ts";

export const experiments = (deps: Deps): Mount =>
  mount(ExperimentService, {
    createExperiment: createExperiment(deps),
    listExperiments: listExperiments(deps),
    getExperiment: getExperiment(deps),
    updateExperiment: updateExperiment(deps),
  });
