import { type Mount, mount } from "@ems/kit/rpc/service";
import { ExperimentService } from "@ems/proto/experiments/v1/experiment_service";
import type { Deps } from "../deps.ts";
import { createExperiment } from "./create-experiment.ts";
import { getExperiment } from "./get-experiment.ts";
import { listExperiments } from "./list-experiments.ts";
import { updateExperiment } from "./update-experiment.ts";

export const experiments = (deps: Deps): Mount =>
  mount(ExperimentService, {
    createExperiment: createExperiment(deps),
    listExperiments: listExperiments(deps),
    getExperiment: getExperiment(deps),
    updateExperiment: updateExperiment(deps),
  });
