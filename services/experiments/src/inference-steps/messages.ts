import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type InferenceStepSchema, InferenceStepType } from "@ems/proto/experiments/v1/inference_step_service";
import type { InferenceStepRow } from "./entity.ts";

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
