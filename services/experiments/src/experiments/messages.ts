// From the rows of experiments and inference steps to their messages.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type ExperimentSchema, ExperimentStatus } from "@ems/proto/experiments/v1/experiment_service";
import { type InferenceStepSchema, InferenceStepType } from "@ems/proto/experiments/v1/inference_step_service";
import type { InferenceStepRow } from "../inference-steps/entity.ts";
import type { ExperimentRow } from "./entity.ts";

export function experiment({
  id,
  title,
  description,
  status,
  inferenceStepIds,
  taskIds,
  assignee,
  createdAt,
  modifiedAt,
}: ExperimentRow): MessageInitShape<typeof ExperimentSchema> {
  return {
    id,
    title,
    description,
    status: ExperimentStatus[status],
    inferenceStepIds,
    taskIds,
    ...(assignee !== null && { assignee }),
    createdAt: timestampFromDate(createdAt),
    modifiedAt: timestampFromDate(modifiedAt),
  };
}

export function inferenceStep({
  id,
  type,
  externalId,
  title,
  description,
  createdAt,
  modifiedAt,
}: InferenceStepRow): MessageInitShape<typeof InferenceStepSchema> {
  return {
    id,
    type: InferenceStepType[type],
    ...(externalId !== null && { externalId }),
    title,
    description,
    createdAt: timestampFromDate(createdAt),
    modifiedAt: timestampFromDate(modifiedAt),
  };
}
