import { type Mount, mount } from "@ems/kit/rpc/service";
import { InferenceStepService } from "@ems/proto/experiments/v1/inference_step_service";
import type { Deps } from "../../deps.ts";
import { createInferenceStep } from "./create-inference-step.ts";
import { listInferenceSteps } from "./list-inference-steps.ts";

export const inferenceSteps = (deps: Deps): Mount =>
  mount(InferenceStepService, {
    createInferenceStep: createInferenceStep(deps),
    listInferenceSteps: listInferenceSteps(deps),
  });
