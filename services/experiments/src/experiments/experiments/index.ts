import type { Handlers } from "@ems/kit/rpc/service";
import type { ExperimentService } from "@ems/proto/experiments/v1/experiment_service";
import type { Deps } from "../../deps.ts";
import { createExperiment } from "./create-experiment.ts";
import { getExperiment } from "./get-experiment.ts";
import { listExperiments } from "./list-experiments.ts";
import { updateExperiment } from "./update-experiment.ts";

export { ExperimentEntity, type ExperimentRow, type TaskSetSummary } from "./entity.ts";
export { type FollowedRun, followRuns, lockExperimentsOfRuns } from "./follow-runs.ts";
export { type LockedExperiment, lockExperiment, updateStatus } from "./lock-experiment.ts";
export { taskSet } from "./messages.ts";
export { experimentById } from "./queries.ts";
export { followRecordedRun } from "./recorded-run.ts";
export { reasonAgainstRun } from "./run-rules.ts";
export { type TestedVariant, testedVariant } from "./tested-variant.ts";
export { isStarted, type VariantConfig, VariantEntity, type VariantRow, variantVersions } from "./variant-entity.ts";

/** ExperimentService, except for the RPC that lists frozen tasks. */
export const experiments = (deps: Deps): Omit<Handlers<typeof ExperimentService>, "getExperimentTaskSet"> => ({
  createExperiment: createExperiment(deps),
  listExperiments: listExperiments(deps),
  getExperiment: getExperiment(deps),
  updateExperiment: updateExperiment(deps),
});
