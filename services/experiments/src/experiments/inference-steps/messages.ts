import { buildMessage } from "@ems/kit/message";
import { InferenceStepSchema } from "@ems/proto/experiments/v1/inference_step_service";
import type { InferenceStepRow } from "./entity.ts";

export const inferenceStep = (row: InferenceStepRow) => buildMessage(InferenceStepSchema, row);
